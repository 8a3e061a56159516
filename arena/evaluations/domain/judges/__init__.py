"""Models as judges: rubrics, prompts, verdicts, and how far a judge can be trusted."""
