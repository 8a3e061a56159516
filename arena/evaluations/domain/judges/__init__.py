"""Models as judges: rubrics, prompts, verdicts, and agreement with people."""
