"""Tables are in files by subject, so that a command maps only those that it uses."""

from __future__ import annotations

import ast
from importlib import import_module
from pkgutil import iter_modules

import pytest

from arena.adapters.store import tables
from arena.adapters.store.tables.base import BaseRow
from arena.evaluations.store import tables as evaluation_tables
from tests.paths import ROOT

PACKAGES = (tables, evaluation_tables)
MODULES = [module.name for package in PACKAGES for module in iter_modules(package.__path__, f"{package.__name__}.")]


def imported(module: str) -> set[str]:
    """The table modules that are loaded when this one is imported."""
    tree = ast.parse((ROOT / (module.replace(".", "/") + ".py")).read_text(encoding="utf-8"))
    modules = {node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)}
    modules |= {alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    return {module}.union(*(imported(name) for name in modules & {*MODULES}))


@pytest.mark.parametrize("module", MODULES)
def test_a_file_of_tables_brings_those_that_its_tables_refer_to(module):
    """SQLAlchemy writes no row whose table refers to one that it does not know."""
    for name in MODULES:
        import_module(name)
    homes = {str(mapper.local_table): mapper.class_.__module__ for mapper in BaseRow.registry.mappers}
    tables_of_module = [table for name, table in BaseRow.metadata.tables.items() if homes[name] == module]
    assert {homes[str(key.column.table)] for table in tables_of_module for key in table.foreign_keys} <= imported(
        module
    )
