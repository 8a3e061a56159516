"""The arena's face as its operator sets it: settings, pages of their own, and the file that carries both."""
