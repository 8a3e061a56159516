"""Statistical tests of whether models and votes are what they claim to be."""
