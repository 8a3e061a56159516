"""Matchmaking: which models meet in a battle, and on which sides."""
