"""The page of evaluations: those that everybody may see, and the report of one."""
