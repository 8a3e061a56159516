"""Acts on the transparency log: sequence leaves, log earlier votes, prove a vote, begin again."""
