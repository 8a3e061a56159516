"""Readers of the board: many open pages before the arena's own proxy, and what is left of them for the arena."""
