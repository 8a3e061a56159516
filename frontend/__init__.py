"""The Gradio front end; talks to the API through `arena.client` and `arena.wire` only."""
