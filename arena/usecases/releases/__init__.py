"""Releases of conversations: public files with the texts of voters who allow it, without personal data."""
