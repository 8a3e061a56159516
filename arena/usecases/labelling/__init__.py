"""Labels of prompts by rules, endpoints and people; a later version adds rows and changes none."""
