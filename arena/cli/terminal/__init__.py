"""Terminal of the commands: groups and options, tables, progress and output files."""
