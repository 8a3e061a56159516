"""Templates, scripts and styles that pages of conversations have in common."""
