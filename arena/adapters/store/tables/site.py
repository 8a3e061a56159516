"""The operator's settings of the site, and the versions of their pages."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from arena.adapters.store.tables.base import BaseRow


class SiteRow(BaseRow):
    """All settings of the site in one row, whose `id` is 1; a setting that is taken back is left out."""

    __tablename__ = "site"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    settings: Mapped[dict[str, Any]]
    changed_at: Mapped[datetime]


class PageRow(BaseRow):
    """A published version of a page of the operator, with its Markdown by language; append-only.

    A version without texts withdraws the page.
    """

    __tablename__ = "pages"

    page: Mapped[str] = mapped_column(String(20), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    texts: Mapped[dict[str, Any]]
    published_at: Mapped[datetime]
