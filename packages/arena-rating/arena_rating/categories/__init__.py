"""Boards of categories, and what they borrow from the board of all votes."""
