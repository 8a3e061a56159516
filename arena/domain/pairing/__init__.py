"""Matchmaking: the draw of pairs and sides."""
