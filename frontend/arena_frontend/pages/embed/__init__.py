"""The board in a frame of another site."""
