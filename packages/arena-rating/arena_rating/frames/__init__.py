"""Votes from data frames of any library, and their usual names of columns and words."""
