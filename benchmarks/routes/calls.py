"""A call of every route of an OpenAPI document, with the smallest body that fits its schema."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

METHODS: Final = ("get", "post", "put", "patch", "delete")
"""In the order in which routes are called: what deletes comes last."""
JSON: Final = "application/json"
BYTES: Final = "application/octet-stream"
_PARAMETER: Final = re.compile(r"\{(\w+)\}")
_DEPTH: Final = 6


@dataclass(frozen=True, slots=True)
class Call:
    """A request of one route; `template` is its path in the document."""

    method: str
    template: str
    target: str
    """Path and query."""
    body: bytes = b""
    content_type: str = ""

    @property
    def route(self) -> str:
        """Name of the route."""
        return f"{self.method} {self.template}"


def calls(contract: dict[str, Any], ids: Mapping[str, str], bodies: Mapping[str, Any]) -> Iterator[Call]:
    """Each route plainly, and each with optional query parameters with all of them too.

    `ids` are values of path and query parameters by name, or by path and name where one path needs another value;
    `bodies` are JSON bodies by route where a body of the schema is not sensible.
    """
    routes = [(method, path) for method in METHODS for path in contract["paths"]]
    # What replaces the owner's key comes last: the other calls have it.
    for method, path in sorted(routes, key=lambda route: route[1].endswith("/me/key")):
        if operation := contract["paths"][path].get(method):
            yield from _calls(contract, method, path, operation, ids, bodies)


def _calls(
    contract: dict[str, Any],
    method: str,
    path: str,
    operation: dict[str, Any],
    ids: Mapping[str, str],
    bodies: Mapping[str, Any],
) -> Iterator[Call]:
    target = _PARAMETER.sub(lambda name: quote(ids.get(f"{path} {name[1]}") or ids.get(name[1], "1"), safe=""), path)
    route = f"{method.upper()} {path}"
    content: dict[str, Any] = operation.get("requestBody", {}).get("content", {})
    body, kind = b"", ""
    if JSON in content:
        value = bodies[route] if route in bodies else sample(contract, content[JSON]["schema"])
        body, kind = json.dumps(value).encode(), JSON
    elif BYTES in content:
        body, kind = bodies.get(route, b"0"), BYTES
    queries = [part for part in operation.get("parameters", []) if part["in"] == "query"]
    required = [part for part in queries if part.get("required")]
    for chosen in [required] if required == queries else [required, queries]:
        query = {part["name"]: ids.get(part["name"], sample(contract, part["schema"])) for part in chosen}
        values = {name: value for name, value in query.items() if value not in {None, ""}}
        yield Call(method.upper(), path, f"{target}?{urlencode(values)}" if values else target, body, kind)


def sample(contract: dict[str, Any], schema: dict[str, Any], depth: int = _DEPTH) -> Any:  # noqa: ANN401 - any JSON
    """A small value that fits a schema."""
    if reference := schema.get("$ref"):
        return sample(contract, contract["components"]["schemas"][reference.rpartition("/")[2]], depth)
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in schema:
            return sample(contract, schema[choice][0], depth)
    if "const" in schema or "enum" in schema or "default" in schema:
        return schema.get("const", schema.get("default", next(iter(schema.get("enum", [None])))))
    if examples := schema.get("examples"):
        return examples[0]
    return _of_type(contract, schema, depth)


def _of_type(contract: dict[str, Any], schema: dict[str, Any], depth: int) -> Any:  # noqa: ANN401 - any JSON
    match schema.get("type"):
        case "object":
            fields = schema.get("properties", {})
            return {name: sample(contract, fields[name], depth - 1) for name in schema.get("required", [])}
        case "array":
            return [sample(contract, schema["items"], depth - 1)] * schema.get("minItems", 1) if depth else []
        case "string":
            return "a" * max(1, schema.get("minLength", 1))
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
        case _:
            return None
