"""The pages as Gradio components; their behaviour is in `frontend/arena_frontend/assets`."""
