"""Calls of every operation of openapi.json in which one parameter or field has a value that a database cannot take."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

UNSTORABLE: Final = ("a\0b", "\ud800")
"""Texts that no route may take: PostgreSQL stores no NUL, and no database half of a surrogate pair."""
NUMBERS: Final = (2**31, 2**63, 10**30, -1, -(2**63) - 1, 1e300)
LITERALS: Final = ("9" * 4_301, "1e400", "NaN", "-" + "9" * 4_300, "-Infinity", "1." + "0" * 5_000, "-1e-400")
"""Numbers as JSON or its relatives write them, which Python reads as no finite number, or does not read."""
TEXTS: Final = ("x" * 50_000, "x" * 3_000, "9" * 40, "\uffff", "\u202e")
TYPES: Final = (None, True, [], {}, [[None]], "text")
"""Values of each type of JSON, one of which every field is not."""
IN_ADDRESSES: Final = ("%00", "a%00b", "%ED%A0%80", "%EF%BF%BF", "x" * 3_000, *(str(number) for number in NUMBERS))
"""Values of path and query as they are sent."""
IN_HEADERS: Final = ("\x80\xff", "x" * 3_000, *(str(number) for number in NUMBERS))
DEPTH: Final = 6
"""Levels of a generated body, since some schemas contain themselves."""
ALTERNATIVES: Final = 4
"""Bodies of a schema, each with other alternatives where the schema has several."""
KEY: Final = "/me/key"
"""The end of a path that replaces the key of whoever calls."""
TERMS: Final = 2
"""The version of the terms to accept."""
VALUES: Final = {
    "url": "https://models.example/v1",
    "address": "https://arena.example",
    "contact": "a@a.example",
    "mark": "",
    "languages": "en",
    "protocol": "pairwise",
    "design": "all",
    "areas": "Language",
    "link": "https://a.example",
    "template": "{prompt}",
    "accent": "#1a6fb5",
    "content": "1. What is 2 + 2?",
    "key": "A",
    "set": "capabilities",
}
"""Texts of fields that take no plain one."""
_MARK: Final = "a literal of JSON"


@dataclass(frozen=True)
class Literal:
    """A number as it stands in the body."""

    text: str

    def __str__(self) -> str:
        return self.text


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
        if self.body is None:
            return None
        written = json.dumps(self.body, default=lambda _literal: _MARK)
        return written.replace(f'"{_MARK}"', str(self.odd)).encode()


def calls(contract: dict[str, Any], ids: dict[str, list[str]]) -> Iterator[Call]:
    """All calls; those that delete, and then those that replace a key, come last: the others have what they need."""
    operations = [
        (path.endswith(KEY), method, path) for path, methods in contract["paths"].items() for method in methods
    ]
    for _, method, path in sorted(operations, key=lambda operation: (operation[0], operation[1] == "delete")):
        operation = contract["paths"][path][method]
        parameters = {parameter["name"]: parameter for parameter in operation.get("parameters", [])}
        values = {name: ids.get(name, [_value(contract, one)])[0] for name, one in parameters.items()}
        yield from _with_parameters(method.upper(), path, parameters, values)
        content = operation.get("requestBody", {}).get("content", {})
        if schema := content.get("application/json", {}).get("schema"):
            known = VALUES | {"models": ids["name"][0], "images": ids["image_id"][0]} if "name" in ids else VALUES
            yield from _with_bodies(method.upper(), filled(path, values), contract, schema, known)


def _value(contract: dict[str, Any], parameter: dict[str, Any]) -> str:
    """A value of a parameter that is no id."""
    schema = resolved(contract, parameter["schema"], 0)
    return str(schema["enum"][0]) if "enum" in schema else "1"


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


def _with_bodies(
    method: str, path: str, contract: dict[str, Any], schema: dict[str, Any], known: dict[str, str]
) -> Iterator[Call]:
    made = set[str]()
    for choice in range(ALTERNATIVES):
        body = sample(contract, schema, known, choice)
        for call in (
            *_with_values(method, path, body),
            *_with_types(method, path, body),
            *_with_names(method, path, body),
        ):
            if (written := f"{call.place} {call.content!r}") not in made:
                made.add(written)
                yield call


def _with_values(method: str, path: str, body: Any) -> Iterator[Call]:
    for steps in leaves(body):
        for odd in (*UNSTORABLE, *TEXTS, *NUMBERS, *map(Literal, LITERALS)):
            yield Call(method, path, ".".join(map(str, steps)), odd, body=replaced(body, steps, odd))


def _with_types(method: str, path: str, body: Any) -> Iterator[Call]:
    for steps in places(body):
        for odd in TYPES:
            yield Call(method, path, ".".join(map(str, steps)), odd, body=replaced(body, steps, odd))


def _with_names(method: str, path: str, body: Any) -> Iterator[Call]:
    for steps in ((), *objects(body)):
        for odd in UNSTORABLE:
            inner = at(body, steps) if isinstance(at(body, steps), dict) else {}
            place = ".".join(map(str, (*steps, "name of a field")))
            yield Call(method, path, place, odd, body=replaced(body, steps, {**inner, odd: 1}))


def sample(
    contract: dict[str, Any],
    schema: dict[str, Any],
    known: dict[str, str] = VALUES,
    choice: int = 0,
    depth: int = DEPTH,
    name: str = "",
) -> Any:
    """A value of a schema with all its fields, with that alternative where there are several, or the first one."""
    schema = resolved(contract, schema, choice)
    if "enum" in schema or "const" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    one = partial(sample, contract, known=known, choice=choice, depth=depth - 1)
    match schema.get("type"):
        case "object" if depth:
            named = {name: one(part, name=name) for name, part in schema.get("properties", {}).items()}
            more = schema.get("additionalProperties")
            names = resolved(contract, schema.get("propertyNames", {}), choice)
            more_name = one(names) if "enum" in names else "en"
            return named | ({more_name: one(more)} if isinstance(more, dict) else {})
        case "array" if name == "images" and choice:
            return []
        case "array" if depth:
            return [one(schema.get("items", {}), name=name)] * max(1, schema.get("minItems", 1))
        case "integer":
            return TERMS if name == "terms" else int(schema.get("minimum", 1))
        case kind:
            return {"number": 1, "boolean": True}.get(str(kind), known.get(name, "text"))


def resolved(contract: dict[str, Any], schema: dict[str, Any], choice: int) -> dict[str, Any]:
    """The schema itself in place of a reference or of several that are not null."""
    while True:
        if "$ref" in schema:
            schema = contract["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        elif several := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
            usable = [one for one in several if one.get("type") != "null"]
            schema = usable[min(choice, len(usable) - 1)]
        else:
            return schema


def places(value: Any, steps: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of a value and of all values inside it."""
    yield steps
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in inner:
        yield from places(part, (*steps, step))


def leaves(value: Any) -> Iterator[tuple[Any, ...]]:
    """The places of all values that contain no others."""
    return (steps for steps in places(value) if not (isinstance(part := at(value, steps), dict | list) and part))


def objects(value: Any) -> Iterator[tuple[Any, ...]]:
    """The places of all objects inside a value."""
    return (steps for steps in places(value) if steps and isinstance(at(value, steps), dict))


def at(value: Any, steps: tuple[Any, ...]) -> Any:
    """The part of a value at a place."""
    for step in steps:
        value = value[step]
    return value


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
