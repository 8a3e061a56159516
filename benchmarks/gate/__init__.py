"""Attacks on the vote gate that no constant of it was chosen on."""
