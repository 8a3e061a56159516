"""Means and proportions with confidence intervals."""
