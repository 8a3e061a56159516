"""Releases of conversations: files for everybody, with the texts of those who allow it and nothing personal."""

from arena.usecases.releases.builds import build
from arena.usecases.releases.publication import publish
from arena.usecases.releases.reviews import passed, refuse, release, sample

__all__ = ("build", "passed", "publish", "refuse", "release", "sample")
