"""Verifier of an arena's log, export and leaderboard, with numpy, numba and cryptography alone."""
