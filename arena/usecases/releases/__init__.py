"""Releases of conversations: files for everybody, with the texts of those who allow it and nothing personal."""
