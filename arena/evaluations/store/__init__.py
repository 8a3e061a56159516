"""Queries about evaluations; they take a session and never commit."""
