"""One thin file of routes per noun."""
