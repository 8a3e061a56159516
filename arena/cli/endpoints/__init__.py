"""`arena endpoints`: its modules add their commands to the group in the order of `arena endpoints --help`."""

from arena.cli.endpoints import registration, supervision
from arena.cli.endpoints.group import app

__all__ = ["app", "registration", "supervision"]
