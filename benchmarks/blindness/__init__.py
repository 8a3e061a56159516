"""Identification of models by the timing of their answers alone: battles of mocks, and an attacker."""
