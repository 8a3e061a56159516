"""Statistics of annotators: accuracy, agreement, overlap and repeats."""
