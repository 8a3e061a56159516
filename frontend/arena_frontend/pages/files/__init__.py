"""The public files of the arena."""
