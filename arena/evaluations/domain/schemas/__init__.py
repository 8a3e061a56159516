"""Wire types of evaluations, one file per noun."""
