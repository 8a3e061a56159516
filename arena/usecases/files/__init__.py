"""The arena's public files as a static tree, which any file server or hub repository can serve."""
