"""Personal data in texts, people in small groups, and texts that are nearly the same."""
