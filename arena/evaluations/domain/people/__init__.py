"""Evaluations by people as values: protocols, who meets whom on which question, and who annotates what."""
