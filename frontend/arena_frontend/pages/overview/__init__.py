"""All boards in one table."""
