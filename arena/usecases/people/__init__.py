"""Voters, owners and operators: their accounts, acts and data."""
