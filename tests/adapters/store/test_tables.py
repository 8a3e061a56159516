"""Each module of tables can be used alone: it imports the modules of all tables that its own refer to."""

from __future__ import annotations

from itertools import chain
from re import findall

from tests.paths import ROOT

FOLDERS = ("arena/adapters/store/tables", "arena/evaluations/store/tables")


def test_a_module_imports_the_tables_that_its_foreign_keys_refer_to():
    files = chain.from_iterable((ROOT / folder).glob("*.py") for folder in FOLDERS)
    texts = {".".join(file.relative_to(ROOT).with_suffix("").parts): file.read_text() for file in files}
    homes = {table: module for module, text in texts.items() for table in findall(r'__tablename__ = "(\w+)"', text)}

    def loaded(module: str) -> set[str]:
        needed = (other for other in texts if other != module and f"{other} import" in texts[module])
        effects = (other for other in texts if f"import {other}  # noqa" in texts[module])
        return {module}.union(*map(loaded, {*needed, *effects}))

    targets = {module: findall(r'ForeignKey\("(\w+)\.', text) for module, text in texts.items()}
    assert sum(map(len, targets.values())) > 40
    missing = {
        (module, table) for module, tables in targets.items() for table in tables if homes[table] not in loaded(module)
    }
    assert missing == set()
