"""A Gradio app over the public API of any arena: battles, chats and the leaderboard, and an API for `gradio_client`."""
