"""Acts on votes: cast, reveal again, exclude, erase. The names of a battle leave only through here."""
