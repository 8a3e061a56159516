"""For owners of models: what it takes, the rules, and the forms of their endpoints."""
