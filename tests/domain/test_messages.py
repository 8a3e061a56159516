"""Every message of the API: immutable, closed to unknown fields, and described by a schema."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

import pytest
from pydantic import ValidationError

import arena.domain
import arena.evaluations.domain
from arena.domain.schemas.base import Wire
from arena.domain.schemas.pairs import PairErrorsView


def messages() -> Iterator[type[Wire]]:
    for package in (arena.domain, arena.evaluations.domain):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            members = vars(import_module(module.name)).values()
            yield from (
                member
                for member in members
                if inspect.isclass(member) and issubclass(member, Wire) and member.__module__ == module.name
            )


def test_there_are_messages():
    assert len(list(messages())) > 100


def test_every_message_is_immutable_and_refuses_unknown_fields():
    for message in messages():
        config = message.model_config
        assert (config.get("frozen"), config.get("extra")) == (True, "forbid"), message
        with pytest.raises(ValidationError, match="extra_forbidden"):
            message.model_validate({"no such field": 1})


def test_every_message_has_a_schema_that_names_its_fields():
    for message in messages():
        schema = message.model_json_schema(mode="serialization")
        schema = schema["$defs"][message.__name__] if "$ref" in schema else schema  # one that contains its own kind
        if message is PairErrorsView:  # a large table that its only reader is told of as an object
            continue
        names = {field.serialization_alias or field.alias or name for name, field in message.model_fields.items()}
        assert names <= set(schema["properties"]), message
        json.dumps(schema)
