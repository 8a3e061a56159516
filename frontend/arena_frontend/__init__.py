"""The Gradio front end; its scripts call the public API and nothing else."""
