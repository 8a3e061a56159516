"""The HTTP door: FastAPI, one thin file of routes per noun."""
