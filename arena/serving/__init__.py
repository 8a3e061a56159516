"""The background worker: closing lost turns, rating and publishing."""
