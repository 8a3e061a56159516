"""Commands of `arena`; `arena.serving.commands` joins them."""
