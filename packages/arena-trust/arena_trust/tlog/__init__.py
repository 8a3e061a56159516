"""The transparency log as published: Merkle tree, tiles, signed notes, checkpoints, proofs, leaves."""
