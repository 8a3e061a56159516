"""One call of a registered endpoint: its target with the key, its cost, and the answer as it is received."""
