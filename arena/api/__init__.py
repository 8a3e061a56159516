"""The HTTP API: FastAPI, one thin file of routes per noun."""
