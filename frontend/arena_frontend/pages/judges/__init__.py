"""The page of judges, and of labellers of prompts."""
