"""Votes as files: read other people's and our own, keep them in the log, write the log out without any text."""
