"""Discovery: the models that a server or proxy offers, which of them take part, and their registration in one step."""
