"""Labels of prompts by rules; a later version adds rows and changes none."""
