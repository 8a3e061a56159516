"""The page on which people judge answers by a link."""
