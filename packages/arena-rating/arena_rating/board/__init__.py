"""The parts of a leaderboard: parameters, rows, and fits with their errors."""
