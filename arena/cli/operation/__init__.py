"""Commands by which the operator makes the arena theirs."""
