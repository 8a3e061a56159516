"""Acts on votes: cast, reveal again, exclude, erase. Only these reveal the names of a battle."""
