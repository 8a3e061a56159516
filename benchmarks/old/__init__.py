"""Costs of loops and routes in an arena with a long past."""
