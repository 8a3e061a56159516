"""No advice names an option that the command lacks which prints it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.cli.commands import run
from tests.cli.test_bad_input import Leaf, every_command, line

READERS = ["rank", "votes import", "stability", "compare", "questions import", "predictors"]
FILES: dict[str, str] = {
    "empty.csv": "",
    "empty.jsonl": "",
    "other.csv": "x,y\n1,2\n",
    "other.txt.dat": "neither\n",
    "one_side.csv": "model_a,winner\nx,model_a\n",
    "wide.csv": "question,only\nq,a\n",
    "results.csv": "question,gpt,score\nq,a,1\n",
    "shares.csv": "model_a,model_b,winner_model_a,winner_model_b,winner_tie\nx,y,1,1,0\n",
    "harness.jsonl": json.dumps({"doc_id": 0, "doc": {}, "resps": [["x"]]}),
    "outputs.json": json.dumps([{"instruction": "q", "output": "x", "generator": "A"}]),
    "unknown.json": json.dumps([{"text": "q"}]),
    "long.csv": f"model_a,model_b,winner,text\nx,y,model_a,{'z' * 3_000_000}\n",
    "chats.json": json.dumps([{"title": "t", "chat": {"messages": []}}]),
}
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
QUOTED = re.compile(r"`(?:uv run )?arena ([^`]+)`")


def spelled(leaf: Leaf) -> str:
    return " ".join(leaf[0])


def options_of(leaf: Any) -> set[str]:
    return {option for parameter in leaf[1] for option in parameter.opts}


@pytest.mark.sqlite
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("command", READERS)
def test_every_option_in_a_message_is_one_of_the_command_or_stands_with_its_own(tmp_path, monkeypatch, command, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(FILES[name])
    leaf: Any = next(
        leaf for leaf in every_command() if spelled(leaf) == command or spelled(leaf).startswith(f"{command} ")
    )
    file = next(p for p in leaf[1] if p.param_type_name == "argument")
    typed = line(leaf, name, file)
    done = run(*typed, ARENA_DATA=str(tmp_path / "data"), ARENA_LOCAL="off")
    said = done.stderr + done.stdout
    for quoted in QUOTED.findall(said):
        owners = [leaf for leaf in every_command() if f"{quoted} ".startswith(f"{spelled(leaf)} ")]
        assert set(OPTION.findall(quoted)) <= options_of(owners[-1]), quoted
    assert set(OPTION.findall(QUOTED.sub("", said))) <= options_of(leaf), said
