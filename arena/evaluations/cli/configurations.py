"""`arena configurations`: add and list named settings of a model, which are compared like models."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.adapters.row_files.row_file import read_text
from arena.cli.context import now, run
from arena.cli.terminal.command_groups import command_group
from arena.cli.terminal.tables import AsJson, Cells, show, show_json
from arena.domain.operators import Act, ActKind
from arena.evaluations.domain.configurations import ConfigurationView
from arena.evaluations.usecases import configurations

app = command_group("Name settings of a model, so that they can be compared like models.")


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="Name by which it takes part.")],
    model: Annotated[str, typer.Option("--model", "-m", help="Registered model that is asked.")],
    system_prompt: Annotated[str | None, typer.Option(help="Instead of the model's own.")] = None,
    system_file: Annotated[Path | None, typer.Option(help="File with the system prompt.")] = None,
    temperature: Annotated[float | None, typer.Option()] = None,
    top_p: Annotated[float | None, typer.Option()] = None,
    max_tokens: Annotated[int | None, typer.Option()] = None,
    template: Annotated[str | None, typer.Option(help="Text around each prompt, with {prompt} in it.")] = None,
    json: AsJson = False,
) -> None:
    """Keep a configuration; other settings under the same name are its next version."""
    settings = {
        "system_prompt": read_text(system_file) if system_file else system_prompt,
        "temperature": temperature,
        "top_p": top_p,
        "max_tokens": max_tokens,
        "template": template,
    }
    act = Act(ActKind.CONFIGURATION_ADDED, name)
    result = run(lambda database, _settings: configurations.put(database, name, model, settings, now()), act)
    if json:
        show_json(result)
    else:
        names = ", ".join(_setting_names(result))
        print(f"{name}, version {result.version}: {model} with {names}; digest {result.digest}.")


@app.command("list")
def show_all(json: AsJson = False) -> None:
    """List the newest version of each configuration."""
    show(run(lambda database, _settings: configurations.list_newest(database)), _cells, json=json)


def _setting_names(view: ConfigurationView) -> list[str]:
    return [name.replace("_", " ") for name in view.settings.model_dump(exclude_none=True)]


def _cells(view: ConfigurationView) -> Cells:
    return {
        "name": view.name,
        "version": view.version,
        "model": view.model,
        "sets": _setting_names(view),
        "digest": view.digest[:16],
    }
