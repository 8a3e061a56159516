"""Images that voters upload to ask about: keep them for a while, show them to who sent them, and nobody else."""
