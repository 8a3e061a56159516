"""arena-providers works with the packages it declares, and without the arena."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.distributions import import_all, install

pytestmark = pytest.mark.process

NEEDED = (
    *("httpx2", "httpcore2", "h11", "anyio", "idna", "certifi", "truststore", "sniffio", "typing_extensions"),
    *("httptools", "orjson", "pydantic", "pydantic_core", "annotated_types", "typing_inspection"),
)
"""Modules of the packages that it needs, and of what those need."""


def test_every_module_is_imported_where_nothing_of_the_arena_is_installed(tmp_path: Path) -> None:
    import_all(install(tmp_path, ("arena-providers",), NEEDED), "arena_providers")
