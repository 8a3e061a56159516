"""Privacy: personal data in texts, k-anonymity, and near-duplicate texts."""
