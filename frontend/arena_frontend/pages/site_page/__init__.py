"""Imprint, privacy notice and terms, as the operator writes them."""
