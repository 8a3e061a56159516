"""The about page: rules, ratings, terms and privacy."""
