"""The number of remote files that a page would load; its frame loads none, so people are told the number."""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

_MAX_ADDRESSES: Final = 300
"""Most addresses that are examined; no honest page has more."""
_ADDRESS: Final = re.compile(r"//[^\s\"'<>)\\]{1,2000}")
_BEFORE: Final = 60
_TAG: Final = 500
"""Characters before an address that are examined, generally and for the tag of a link."""
_END: Final = r"[\"'`]?\s{0,9}(?:(?:https?|wss?):)?$"
_LOADING: Final = re.compile(
    r"(?:\b(?:src|srcset|poster|data|action)\s{0,9}=\s{0,9}|\burl\(\s{0,9}|@import\s{1,9}|\bfrom\s{1,9}"
    r"|\bimport\s{0,9}\(?\s{0,9}|\bfetch\(\s{0,9}|\bimportScripts\(\s{0,9}"
    rf"|\bnew\s{{1,9}}(?:WebSocket|EventSource|Worker|SharedWorker)\(\s{{0,9}}){_END}",
    re.IGNORECASE,
)
_LINK: Final = re.compile(rf"<link\b[^<>]*\bhref\s{{0,9}}=\s{{0,9}}{_END}", re.IGNORECASE)


def wanted_files(source: str) -> int:
    """The number of different remote files that a page would load; hyperlinks do not count."""
    addresses = islice(_ADDRESS.finditer(source), _MAX_ADDRESSES)
    return len({match[0] for match in addresses if _is_loaded(source, match.start())})


def _is_loaded(source: str, start: int) -> bool:
    """Whether a browser would load the address that begins at `start`."""
    if _LOADING.search(source[max(0, start - _BEFORE) : start]):
        return True
    tag = source.rfind("<", max(0, start - _TAG), start)
    return tag >= 0 and _LINK.match(source[tag:start]) is not None
