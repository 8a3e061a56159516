"""Runs Python examples of the documents against the application, without a network."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import httpx2
import pytest

from arena.client import ArenaClient
from tests.paths import ROOT


async def run_example(
    document: str,
    client: type[ArenaClient],
    http: httpx2.AsyncClient,
    names: Mapping[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> list[str]:
    """Run the example of a document, check that it prints the lines below it, and return them.

    The example's client uses `http`.
    """
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    ((example, output),) = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", text, re.DOTALL)
    begin = client.__init__

    def start(self: ArenaClient, address: str, *, key: str = "") -> None:
        begin(self, address, key=key)
        self._http = http

    async def stay(self: ArenaClient, *_: object) -> ArenaClient:
        """Return the client without opening another."""
        return self

    async def leave(*_: object) -> None:
        """Do not close the test's client."""

    monkeypatch.setattr(client, "__init__", start)
    monkeypatch.setattr(client, "__aenter__", stay)
    monkeypatch.setattr(client, "__aexit__", leave)
    lines: list[str] = []
    space = {**names, "print": lambda *words: lines.append(" ".join(map(str, words)))}
    source = example.replace("asyncio.run(main())", "")
    exec(compile(source, document, "exec"), space)  # noqa: S102 - our own document
    await space["main"]()
    assert lines == output.splitlines()
    return lines
