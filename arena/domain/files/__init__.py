"""Forms of files: JSON that comes with the package, and cells of tables that people open."""
