"""Hatch's build hook: a wheel carries its pages rendered, and a source tree has them when it is installed."""

from __future__ import annotations

import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PagesHook(BuildHookInterface):
    """Renders the pages into a wheel, or for an editable install beside the byte code, where the first start looks."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path[:0] = [self.root, f"{self.root}/frontend"]
        from arena_frontend import page_cache  # found by the line above

        try:
            page_cache.load()
        except Exception as error:
            if version != "editable":
                raise
            self.app.display_warning(f"The pages are rendered at the first start: {error}")
            return
        rendered = page_cache.file(page_cache.KEPT, page_cache.digest())
        if version != "editable" and rendered.is_file():  # a folder that cannot be written keeps none
            build_data["force_include"][str(rendered)] = f"arena_frontend/{page_cache.RENDERED}/{rendered.name}"
