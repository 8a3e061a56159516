"""The files of the network that a page would load; the frame loads none, so that they are counted and told."""

from __future__ import annotations

import re
from typing import Final

_ADDRESS: Final = r"(?P<address>(?:https?:|wss?:)?//[^\s\"'<>)\\]{1,2000})"
_QUOTED: Final = rf"[\"'`]?\s{{0,9}}{_ADDRESS}"
_LOADING: Final = re.compile(
    r"(?:\b(?:src|srcset|poster|data|action)\s{0,9}=\s{0,9}"
    r"|<link\b[^<>]{0,500}?\bhref\s{0,9}=\s{0,9}"
    r"|\burl\(\s{0,9}|@import\s{1,9}"
    r"|\bfrom\s{1,9}|\bimport\s{0,9}\(?\s{0,9}|\bfetch\(\s{0,9}|\bimportScripts\(\s{0,9}"
    r"|\bnew\s{1,9}(?:WebSocket|EventSource|Worker|SharedWorker)\(\s{0,9}"
    rf"){_QUOTED}",
    re.IGNORECASE,
)


def wanted_files(source: str) -> int:
    """How many different files of the network a page names where it would load them; links are none."""
    return len({match["address"] for match in _LOADING.finditer(source)})
