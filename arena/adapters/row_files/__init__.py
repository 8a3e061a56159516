"""Files from people, read row by row within bounds: JSON lines, JSON arrays, CSV, perhaps with gzip, and XLSX."""
