"""The path parameters of the API; a secret one gives access to whoever knows its value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

PUBLIC: Final = {
    "decision",
    "endpoint_id",
    "evaluation",
    "name",
    "number",
    "objection",
    "page",
    "part",
    "set_name",
    "use",
    "week",
}
"""Parameters whose values are shown on public pages; all others are secret."""
SECRET: Final = "AbCdEf-secret_0123456789xyz"  # noqa: S105 - a placeholder
_PARAMETER: Final = re.compile(r"\{(\w+)\}")


def secret_calls(contract: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Method and path of each call with a secret parameter, filled in by `SECRET`."""
    for path, methods in contract["paths"].items():
        if not set(_PARAMETER.findall(path)) <= PUBLIC:
            for method in methods:
                yield method.upper(), _PARAMETER.sub(lambda found: "1" if found[1] in PUBLIC else SECRET, path)
