"""An anonymous battle arena for chat models: blind pairs, votes, ratings."""
