"""Files that people hand in, read row by row within bounds: gzip, JSON lines, JSON arrays, CSV."""
