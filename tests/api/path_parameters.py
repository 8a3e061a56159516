"""The parameters in paths of the API, and which of them are secret: whoever has one sees what is behind it."""

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
"""Names and numbers that published pages show; any other parameter is a secret."""
SECRET: Final = "AbCdEf-secret_0123456789xyz"  # noqa: S105 - stands for any
_PARAMETER: Final = re.compile(r"\{(\w+)\}")


def secret_calls(contract: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Method and path of each call with a secret in its path, which is `SECRET`."""
    for path, methods in contract["paths"].items():
        if not set(_PARAMETER.findall(path)) <= PUBLIC:
            for method in methods:
                yield method.upper(), _PARAMETER.sub(lambda found: "1" if found[1] in PUBLIC else SECRET, path)
