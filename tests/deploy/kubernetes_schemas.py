"""Writes the Kubernetes schemas for the tests of the chart, from the package `kubernetes-validate`.

Run `uv run --with kubernetes-validate python -m tests.deploy.kubernetes_schemas` when the chart renders another kind or
supports another version. Each file is the complete strict schema of one kind without descriptions, in a folder of its
version and with the name that kubeconform expects.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.deploy.charts import TEMPLATES
from tests.servers import package_folder

VERSIONS: Final = ("1.28", "1.37")
"""The oldest and the newest version that the chart supports."""
FOLDER: Final = Path(__file__).with_name("kubernetes")
_MAPS_OF_SCHEMAS: Final = ("properties", "$defs")
"""Keys whose values are maps from names to schemas."""


def kinds() -> set[tuple[str, str]]:
    """API version and kind of each object that the chart renders."""
    return set(re.findall(r"(?m)^apiVersion: (\S+)\nkind: (\S+)$", "\n".join(TEMPLATES.values())))


def file_name(api_version: str, kind: str) -> str:
    """The name that kubeconform expects: `ingress-networking-v1.json` for `Ingress` of `networking.k8s.io/v1`."""
    group, _, number = api_version.rpartition("/")
    return "-".join(filter(None, (kind.lower(), group.split(".")[0], number))) + ".json"


def complete_schema(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """A schema with all definitions that it refers to, and without descriptions."""
    reached: dict[str, Any] = {}
    waiting = [schema]
    while waiting:
        for name in set(_references(waiting.pop())) - reached.keys():
            reached[name] = definitions[name]
            waiting.append(definitions[name])
    return _without_descriptions(schema | {"$defs": dict(sorted(reached.items()))})


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(reference := part.get("$ref"), str):
            yield reference.rpartition("/")[2]
        part = list(part.values())
    if isinstance(part, list):
        for child in part:
            yield from _references(child)


def _without_descriptions(part: Any) -> Any:
    if isinstance(part, list):
        return [_without_descriptions(item) for item in part]
    if not isinstance(part, dict):
        return part
    if isinstance(reference := part.get("$ref"), str):
        part = part | {"$ref": f"#{reference.partition('#')[2]}"}
    dropped = [name for name in part if name == "description" or name.startswith("x-kubernetes-")]
    return {name: _nested(name, part[name]) for name in part if name not in dropped}


def _nested(name: str, part: Any) -> Any:
    return (
        {key: _without_descriptions(one) for key, one in part.items()}
        if name in _MAPS_OF_SCHEMAS
        else _without_descriptions(part)
    )


def write() -> None:
    source = package_folder("kubernetes_validate") / "kubernetes-json-schema"
    for version in VERSIONS:
        strict, folder = source / f"v{version}.0-local-strict", FOLDER / version
        definitions = json.loads((strict / "_definitions.json").read_text())["$defs"]
        folder.mkdir(parents=True, exist_ok=True)
        for name in {file_name(*kind) for kind in kinds()}:
            schema = complete_schema(json.loads((strict / name).read_text()), definitions)
            (folder / name).write_text(json.dumps(schema, separators=(",", ":"), sort_keys=True) + "\n")


if __name__ == "__main__":
    write()
