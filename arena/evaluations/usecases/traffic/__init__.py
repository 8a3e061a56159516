"""Traffic: a sample of logged calls of one's own model, which a second model is asked again."""
