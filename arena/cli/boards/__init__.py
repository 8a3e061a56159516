"""Leaderboards of files and of the log, as commands print them."""
