"""A voter's own battles, chats and board on this device."""
