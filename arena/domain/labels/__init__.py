"""Labels of prompts: language and category."""
