"""The page of public sets of questions."""
