"""Small files of our own making in the formats of the sources."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from arena.evaluations.domain.questions import FORMAT
from arena.evaluations.usecases.sets.reader import read_set
from tests.paths import ROOT

FACTS = {"format": FORMAT, "name": "ours", "licence": "CC BY 4.0", "source": "tests", "language": "en"}


def real(name: str) -> Path:
    """A question file of a source, where it is at hand."""
    folder = Path(os.environ.get("ARENA_TEST_DATA") or ROOT.parent / "shared" / "data")
    path = folder / "questions" / name
    if not path.is_file():
        pytest.skip("the question files of other benchmarks are not here; ARENA_TEST_DATA may name their folder")
    return path


def question(**changes: Any) -> dict[str, Any]:
    return {"id": "one", "turns": ["What is 2 + 2?"], "area": "Mathematics", "reference": "4", **changes}


def lines(*rows: object) -> str:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def own(*questions: object, **facts: Any) -> str:
    return lines({**FACTS, **facts}, *questions)


def sheet(path: Path, *rows: list[Any], merged: str | None = None) -> Path:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    if merged:
        book.active.merge_cells(merged)
    book.save(path)
    return path


def read(path: Path, content: str | bytes | None = None, facts: dict[str, str | None] | None = None, **options: Any):
    if content is not None:
        path.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
    return read_set([path], facts or {}, **options)


def reasons(found) -> list[str]:
    return [str(refusal) for refusal in found.refused]


LLMEVAL2 = [
    {
        "question_uuid": name,
        "dialog_uuid": f"{model}_{name}",
        "llm_name": model,
        "dialog": [{"role": "user", "content": f"{name}？"}, {"role": "llm", "content": "答"}],
        "hint": "提示",
        "type": kind,
    }
    for name, kind in (("Optics_1", "A"), ("Optics_2", "B"))
    for model in ("red", "blue")
]
ALIGN = {
    "question_id": 7,
    "category": "数学",
    "subcategory": "代数",
    "question": "x+1=2？",
    "reference": "x=1",
    "evidences": [{"url": "https://example.org/a", "quote": "移项得 x=1。"}, {"quote": "两边减一。"}],
}
VOTES = {"So.": "12", "No.": -1, "Yes.": 9, "Ask.": 20, "Wait.": 9, "Look.": 7, "Once.": 5}
RANKED = {"question": "Why?", "answers": [{"text": text, "votes": votes} for text, votes in VOTES.items()]}
HARD = {"uid": "ab", "category": "hard_prompt", "subcategory": "coding", "prompt": "Write it."}
HARD_1 = {"question_id": "cd", "category": "v0.1", "cluster": "Games", "turns": [{"content": "Play."}]}
MT = {"question_id": 81, "category": "writing", "turns": ["Write.", "Again."], "reference": ["", "Done."]}
CMMLU = ",Question,A,B,C,D,Answer\n0,首都是,北京,上海,广州,深圳,A\n1,多少,一,二,三,四,E\n"
CHINESE = ["prompt_id", "一级类目", "二级类目", "问题", "参考答案"]
ENGLISH = ["domain area", "tasks", "question", "reference answer", "prompt id"]
