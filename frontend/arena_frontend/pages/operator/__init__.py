"""For operators: endpoints, reported links, the vote gate, evaluations and samples."""
