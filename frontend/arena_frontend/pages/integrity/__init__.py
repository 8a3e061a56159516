"""The page about the vote gate."""
