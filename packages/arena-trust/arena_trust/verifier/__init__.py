"""The verifier of an arena: its log, its export and its leaderboard, checked by numpy, numba and cryptography alone."""
