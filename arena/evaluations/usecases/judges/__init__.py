"""Models as judges of answers."""
