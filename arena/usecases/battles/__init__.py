"""Acts on battles and on chats with models chosen by name, both of which run on the same engine.

A battle is open until somebody votes (voted), its voter leaves it (abandoned) or a side fails (void).
"""
