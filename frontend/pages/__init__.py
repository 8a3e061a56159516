"""The three pages as Gradio components; what happens on them is in `frontend/assets`."""
