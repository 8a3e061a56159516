"""Brings a database to the current schema, from the migrations that the package carries."""

from __future__ import annotations

from importlib.resources import files

from alembic import command
from alembic.config import Config


def configuration(url: str) -> Config:
    """Alembic's view of the database at `url`; no file of its own is needed."""
    config = Config()
    config.set_main_option("script_location", str(files("migrations")))
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    return config


def migrate(url: str) -> None:
    """Apply every migration that is missing; does nothing on a current database."""
    command.upgrade(configuration(url), "head")
