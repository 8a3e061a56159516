"""Attacks on the vote gate, on logs that were not used to choose its constants."""
