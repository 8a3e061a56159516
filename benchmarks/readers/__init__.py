"""Readers of the board: many open pages behind the arena's proxy, and the remaining load on the arena."""
