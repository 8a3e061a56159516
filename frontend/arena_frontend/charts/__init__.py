"""Charts as figures for templates: no chart needs a script, and each follows the theme by its style sheet."""
