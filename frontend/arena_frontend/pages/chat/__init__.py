"""The pages of chats with chosen models."""
