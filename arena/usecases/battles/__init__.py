"""Acts on battles. A battle is open until it is voted, abandoned by its voter, or void because a side failed.

Chats with models chosen by name run on the same engine; their acts are in `chats`.
"""
