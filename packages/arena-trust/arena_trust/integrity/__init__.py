"""The vote gate: statistical tests of votes by their origins, audit files, and weights."""
