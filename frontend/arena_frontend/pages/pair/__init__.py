"""The page of two models against each other."""
