"""The operator's site: settings, own pages, and the file that has both."""
