"""The operations of the arena, one package per noun."""
