"""Images that voters upload for prompts: stored for a limited time and shown to their sender alone."""
