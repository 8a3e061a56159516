"""Votes as files: read those of the arena and of others, import them into the log, export the log without texts."""
