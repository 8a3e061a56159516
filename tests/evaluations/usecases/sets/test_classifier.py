"""A classifier of people's places: measured on sources that it has not seen, and silent where it is too often wrong."""

from __future__ import annotations

import json
from importlib import import_module

import pytest

from arena.domain.errors import Invalid, QuestionSetNotFound
from arena.domain.schemas.questions import QuestionView, SetFactsView
from arena.evaluations.domain.terms import Level
from arena.evaluations.usecases.sets import classifier, importer
from tests.cli.commands import run
from tests.conftest import START

pytestmark = pytest.mark.sqlite

WORDS = {"Law": "the contract binds the tenant in court", "Medicine": "the fever and cough of a patient"}
OTHER = {"Law": "der Vertrag bindet den Mieter", "Medicine": "Fieber und Husten eines Kranken"}


def pairs(words: dict[str, str], number: int = 12) -> list[tuple[str, str]]:
    return [(f"{text}, case {place}", label) for place in range(number) for label, text in words.items()]


async def keep(database, name: str, words: dict[str, str], *, number: int = 12, places: bool = True) -> None:
    questions = [
        QuestionView(id=f"{place}", turns=[text], area=label if places else None)
        for place, (text, label) in enumerate(pairs(words, number))
    ]
    facts = SetFactsView(name=name, licence="CC0", source="tests", language="en")
    await importer.import_set(database, facts, questions, START)


def test_each_source_is_measured_by_the_others_and_by_itself_with_its_confusion():
    swapped = {"Law": OTHER["Medicine"], "Medicine": OTHER["Law"]}
    found = classifier.held_out({"ours": pairs(OTHER), "theirs": pairs(swapped)})
    assert [(each.source, each.trained_on, each.questions) for each in found] == [
        (source, taught, 24) for source in ("ours", "theirs") for taught in ("others", "itself")
    ]
    assert [each.share for each in found] == [0, 1, 0, 1]
    assert found[0].labels == ["Law", "Medicine"]
    assert [row[:2] for row in found[0].confusion.matrix[:2]] == [[0, 12], [12, 0]]
    assert [row[:2] for row in found[1].confusion.matrix[:2]] == [[12, 0], [0, 12]]


def test_one_source_alone_is_measured_by_itself_only():
    assert [each.trained_on for each in classifier.held_out({"ours": pairs(WORDS)})] == ["itself"]


async def test_a_question_without_a_place_gets_one_and_the_others_keep_theirs(database):
    await keep(database, "ours", WORDS)
    await keep(database, "new", WORDS, number=2, places=False)
    content, number = await classifier.place(database, "new", ["ours"], [], Level.AREA)
    assert number == 4
    rows = [json.loads(line) for line in content[1:]]
    assert [row["area"] for row in rows] == ["Law", "Medicine"] * 2
    with pytest.raises(Invalid, match="Every question of ours has its area"):
        await classifier.place(database, "ours", ["ours"], [], Level.AREA)


async def test_too_few_labels_or_no_source_is_said_in_one_sentence(database):
    await keep(database, "few", WORDS, number=3)
    with pytest.raises(Invalid, match="few has 6 labels by people; a classifier learns from 20"):
        await classifier.measure(database, ["few"], [], Level.AREA)
    with pytest.raises(Invalid, match="sample of areas has 0 labels"):
        await classifier.measure(database, [], ["areas"], Level.AREA)
    with pytest.raises(Invalid, match="at least one source"):
        await classifier.measure(database, [], [], Level.AREA)
    with pytest.raises(QuestionSetNotFound):
        await classifier.measure(database, ["no such"], [], Level.AREA)


def test_without_scikit_learn_the_extra_is_named(monkeypatch):
    def missing(name: str):
        if name.startswith("sklearn"):
            raise ModuleNotFoundError(name)
        return import_module(name)

    monkeypatch.setattr(classifier, "import_module", missing)
    with pytest.raises(Invalid, match=r"battle-arena\[classifier\]"):
        classifier.guesses(pairs(WORDS), ["a contract"])


def test_the_command_writes_nothing_where_another_source_is_too_often_wrong(tmp_path):
    settings = {"ARENA_DATA": str(tmp_path)}
    swapped = {"Law": OTHER["Medicine"], "Medicine": OTHER["Law"]}
    for name, words in {"ours": OTHER, "theirs": swapped, "new": None}.items():
        head = {"format": "arena-questions/1", "name": name, "licence": "CC0", "source": "us", "language": "de"}
        rows = [
            {"id": str(place), "turns": [text]} | ({"area": label} if words else {})
            for place, (text, label) in enumerate(pairs(words or OTHER))
        ]
        file = tmp_path / f"{name}.jsonl"
        file.write_text("".join(f"{json.dumps(row)}\n" for row in (head, *rows)))
        assert run("questions", "import", str(file), **settings).returncode == 0
    out = tmp_path / "placed.jsonl"
    wanted = ["questions", "classify", "--from", "ours", "--from", "theirs", "--place", "new", "--file", str(out)]
    refused = run(*wanted, **settings)
    assert refused.returncode
    assert "Only 0% of ours are right where others taught it; nothing was written" in refused.stderr
    assert "ours, taught by others: 0 of 24 (0%) are as people say." in refused.stdout
    assert not out.exists()
    alone = run("questions", "classify", "--from", "ours", "--place", "new", "--file", str(out), **settings)
    assert "One source shows nothing about another" in alone.stderr
    assert run(*wanted, "--anyway", **settings).returncode == 0
    assert len(out.read_text().splitlines()) == 25
