"""People who annotate: invitations, items, progress, thresholds."""
