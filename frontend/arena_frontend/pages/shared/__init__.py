"""The page of a shared battle."""
