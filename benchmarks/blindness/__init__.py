"""How well models can be identified by the timing of their answers alone: battles of mocks, and an attacker."""
