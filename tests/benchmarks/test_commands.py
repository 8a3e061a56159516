"""The benchmarks as commands."""

from __future__ import annotations

import pytest
from typer.main import get_command

from benchmarks.commands import BENCHMARKS, app


@pytest.mark.parametrize("name", BENCHMARKS)
def test_each_benchmark_can_be_called_without_options(name: str):
    commands = vars(get_command(app))["commands"]
    assert commands[name].make_context(name, []).params["json"] is False
