"""Labels of prompts, such as category and flags, by rules or by an endpoint."""
