"""Capacity planning: what an arena of a given size needs, by arithmetic from measured costs."""
