"""The leaderboard: its table, its pictures, and how it is computed."""
