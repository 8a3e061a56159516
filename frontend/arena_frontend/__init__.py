"""The pages, as templates of the server; their scripts call the public API and nothing else."""
