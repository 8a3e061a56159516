"""Hatch's build hook: a wheel carries its pages rendered, so that the first start need not render them."""

from __future__ import annotations

import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PagesHook(BuildHookInterface):
    """Renders the pages for a wheel; an editable install renders them at its first start."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        sys.path[:0] = [self.root, f"{self.root}/frontend"]
        from arena_frontend import page_cache  # noqa: PLC0415 - found by the line above

        page_cache.load()
        rendered = page_cache.file(page_cache.KEPT, page_cache.digest())
        if rendered.is_file():  # a folder that cannot be written keeps none
            build_data["force_include"][str(rendered)] = f"arena_frontend/{page_cache.RENDERED}/{rendered.name}"
