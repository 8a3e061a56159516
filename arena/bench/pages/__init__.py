"""What the pages cost: the server for a visit, the browser for a battle, and Gradio's own streaming beside them."""
