"""Calls of every operation of openapi.json in which one parameter or field has a value that a database cannot take."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Final

UNSTORABLE: Final = ("a\0b", "\ud800")
"""Texts that no route may take: PostgreSQL stores no NUL, and no database half of a surrogate pair."""
NUMBERS: Final = (2**31, 2**63, 10**30, -1, -(2**63) - 1, 1e300)
TEXTS: Final = ("x" * 3_000, "9" * 40, "\uffff", "\u202e")
IN_ADDRESSES: Final = ("%00", "a%00b", "%ED%A0%80", "%EF%BF%BF", "x" * 3_000, *(str(number) for number in NUMBERS))
"""Values of path and query as they are sent."""
IN_HEADERS: Final = ("\x80\xff", "x" * 3_000, *(str(number) for number in NUMBERS))
DEPTH: Final = 6
"""Levels of a generated body, since some schemas contain themselves."""


@dataclass(frozen=True)
class Call:
    """One call; `place` names the parameter or field with the value `odd`."""

    method: str
    path: str
    place: str
    odd: Any
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None

    @property
    def is_unstorable(self) -> bool:
        """Whether the call has to be refused, whoever makes it; a cookie without a valid signature is no cookie."""
        return self.odd in UNSTORABLE or (self.place != "cookie" and "%00" in str(self.odd))

    @property
    def content(self) -> bytes | None:
        return None if self.body is None else json.dumps(self.body).encode()


def calls(contract: dict[str, Any], ids: dict[str, list[str]]) -> Iterator[Call]:
    """All calls; those that delete come last, so that the others find what they need."""
    operations = [(method, path) for path, methods in contract["paths"].items() for method in methods]
    for method, path in sorted(operations, key=lambda operation: operation[0] == "delete"):
        operation = contract["paths"][path][method]
        parameters = {parameter["name"]: parameter for parameter in operation.get("parameters", [])}
        values = {name: ids.get(name, ["1"])[0] for name in parameters}
        yield from _with_parameters(method.upper(), path, parameters, values)
        content = operation.get("requestBody", {}).get("content", {})
        if schema := content.get("application/json", {}).get("schema"):
            yield from _with_bodies(method.upper(), filled(path, values), contract, schema)


def filled(path: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        path = path.replace(f"{{{name}}}", value)
    return path


def _with_parameters(method: str, path: str, parameters: dict[str, Any], values: dict[str, str]) -> Iterator[Call]:
    real = filled(path, values)
    needed = [f"{name}=1" for name, parameter in parameters.items() if _is_needed_query(parameter)]
    for name, parameter in parameters.items():
        match parameter["in"]:
            case "path":
                for odd in IN_ADDRESSES:
                    yield Call(method, filled(path, values | {name: odd}), name, odd)
            case "query":
                others = [pair for pair in needed if pair != f"{name}=1"]
                for odd in IN_ADDRESSES:
                    yield Call(method, f"{real}?{'&'.join([*others, f'{name}={odd}'])}", name, odd)
            case "header":
                for odd in IN_HEADERS:
                    yield Call(method, real, name, odd, {name: odd})
    yield Call(method, f"{real}?any=%00", "an unknown parameter", "%00")
    yield Call(method, f"{real}?%00", "an unknown parameter", "%00")
    for odd in ('arena_voter="\\000.x"', "arena_voter=%00.%00", f"arena_voter={10**30}.x", "arena_voter=\x80.\x80"):
        yield Call(method, real, "cookie", odd, {"Cookie": odd})


def _is_needed_query(parameter: dict[str, Any]) -> bool:
    return parameter["in"] == "query" and parameter.get("required", False)


def _with_bodies(method: str, path: str, contract: dict[str, Any], schema: dict[str, Any]) -> Iterator[Call]:
    body = sample(contract, schema)
    for steps in leaves(body):
        for odd in (*UNSTORABLE, *TEXTS, *NUMBERS):
            yield Call(method, path, ".".join(map(str, steps)), odd, body=replaced(body, steps, odd))
    for odd in UNSTORABLE:
        yield Call(method, path, "name of a field", odd, body={**body, odd: 1} if isinstance(body, dict) else {odd: 1})


def sample(contract: dict[str, Any], schema: dict[str, Any], depth: int = DEPTH) -> Any:
    """A value of a schema with all its fields."""
    schema = resolved(contract, schema)
    if "enum" in schema or "const" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    match schema.get("type"):
        case "object" if depth:
            named = {name: sample(contract, one, depth - 1) for name, one in schema.get("properties", {}).items()}
            more = schema.get("additionalProperties")
            return named | ({"en": sample(contract, more, depth - 1)} if isinstance(more, dict) else {})
        case "array" if depth:
            return [sample(contract, schema.get("items", {}), depth - 1)]
        case kind:
            return {"integer": schema.get("minimum", 1), "number": 1, "boolean": True}.get(str(kind), "text")


def resolved(contract: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The schema itself in place of a reference or of several, of which it is the first that is not null."""
    while True:
        if "$ref" in schema:
            schema = contract["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        elif several := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
            schema = next(one for one in several if one.get("type") != "null")
        else:
            return schema


def leaves(value: Any, steps: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all values that contain no others."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = False
    for step, part in inner:
        found = True
        yield from leaves(part, (*steps, step))
    if not found:
        yield steps


def replaced(value: Any, steps: tuple[Any, ...], odd: Any) -> Any:
    """The value with another one at a place."""
    if not steps:
        return odd
    changed = deepcopy(value)
    inner = changed
    for step in steps[:-1]:
        inner = inner[step]
    inner[steps[-1]] = odd
    return changed
