"""Sets in the database: versions that never change, named by the digest of their file."""

import hashlib

import pytest

from arena.adapters.store import questions as stored
from arena.adapters.store.questions import Filter
from arena.domain.errors import Invalid, QuestionNotFound, QuestionSetNotFound
from arena.evaluations.usecases.sets import importer, reader, sets
from tests.conftest import START
from tests.evaluations.usecases.sets.files import own, question, read

TWO = (
    question(id="one", category="Sums"),
    question(id="two", turns=["Who?", "100% sure?"], area="History"),
)


async def keep(database, path, *questions, **facts):
    found = read(path / "set.jsonl", own(*questions, **facts))
    return await importer.import_set(database, found.facts, found.questions, START)


async def test_importing_a_set_again_adds_nothing_and_a_change_is_a_new_version(database, tmp_path):
    first = await keep(database, tmp_path, *TWO)
    again = await keep(database, tmp_path, *TWO)
    assert (first.version, again.version, again.difference, again.digest) == (1, 1, None, first.digest)
    changed = (question(id="one", category="Sums", reference="four"), question(id="three"))
    second = await keep(database, tmp_path, *changed)
    assert second.version == 2
    assert (second.difference.added, second.difference.removed) == (("three",), ("two",))
    assert second.difference.changed == {"one": ("reference",)}
    assert (await sets.compare(database, "ours", 1)) == second.difference
    old = await sets.question(database, "ours", 1, "one")
    assert old.reference == "4"
    back = await keep(database, tmp_path, *TWO)
    assert (back.version, back.digest) == (3, first.digest)


async def test_the_digest_is_the_sha256_of_the_exported_file_which_imports_as_the_same_set(database, tmp_path):
    imported = await keep(database, tmp_path, *TWO)
    content = b"".join(await sets.export(database, "ours"))
    assert hashlib.sha256(content).hexdigest() == imported.digest
    found = read(tmp_path / "export.jsonl", content)
    assert (await importer.import_set(database, found.facts, found.questions, START)).difference is None


async def test_a_set_is_the_operators_until_it_is_published_and_stays_public_in_its_next_version(database, tmp_path):
    await keep(database, tmp_path, *TWO)
    assert await sets.list_sets(database, public=True) == []
    with pytest.raises(QuestionSetNotFound):
        await sets.record(database, "ours", public=True)
    await sets.publish(database, "ours", public=True)
    await keep(database, tmp_path, question())
    assert [each.version for each in await sets.list_sets(database, public=True)] == [2]
    assert (await sets.record(database, "ours", 1, public=True)).versions == [1, 2]


async def test_the_tree_counts_questions_by_area_and_category_in_the_order_of_the_set(database, tmp_path):
    await keep(database, tmp_path, *TWO, question(id="three", category="Roots"))
    record = await sets.record(database, "ours", public=False)
    assert [(node.name, node.questions) for node in record.tree] == [("Mathematics", 2), ("History", 1)]
    assert [(node.name, node.questions) for node in record.tree[0].children] == [("Sums", 1), ("Roots", 1)]
    assert record.tree[1].children == []


async def test_the_tree_has_numbers_planned_beside_those_present_and_comes_back_from_the_exported_file(
    database, tmp_path
):
    plan = [
        {"area": "Mathematics", "category": "Sums", "questions": 3},
        {"area": "Mathematics", "category": "Proofs", "task": "Induction", "questions": 2},
    ]
    path = tmp_path / "ours.jsonl"
    path.write_text(own(*TWO, plan=plan))
    read = reader.read_set([path], {})
    kept = await importer.import_set(database, read.facts, read.questions, START)
    mathematics, _history = (await sets.record(database, "ours", public=False)).tree
    assert (mathematics.questions, mathematics.planned) == (1, 5)
    assert [(node.name, node.questions, node.planned) for node in mathematics.children] == [
        ("Sums", 1, 3),
        ("Proofs", 0, 2),
    ]
    path.write_bytes(b"".join(await sets.export(database, "ours")))
    again = reader.read_set([path], {})
    assert (await importer.import_set(database, again.facts, again.questions, START)).digest == kept.digest


async def test_a_sample_has_so_many_questions_of_each_task_and_a_seed_decides_which(database, tmp_path):
    await keep(database, tmp_path, *(question(id=f"{task}{n}", task=task) for task in "ab" for n in range(9)), TWO[1])

    async def sample(into: str, per_task: int, seed: int) -> list[str]:
        _, number = await sets.sample_set(database, "ours", into, START, per_task=per_task, seed=seed)
        chosen = (await sets.page(database, into, None, Filter(), 0, public=False)).questions
        assert len(chosen) == number
        return [each.id for each in chosen]

    regular = await sample("regular", 2, 1)
    assert [name[0] for name in regular] == ["a", "a", "b", "b", "t"]
    assert regular == await sample("again", 2, 1) != await sample("other", 2, 2)
    assert len(await sample("major", 100, 1)) == 19
    drawn = await sets.record(database, "regular", public=False)
    assert drawn.source == "2 of each task of ours 1 (tests), seed 1"
    with pytest.raises(Invalid, match="A sample has a name of its own"):
        await sample("ours", 1, 1)


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        (Filter(), ["one", "two"]),
        (Filter(area="History"), ["two"]),
        (Filter(category=""), ["two"]),
        (Filter(several_turns=True), ["two"]),
        (Filter(several_turns=False), ["one"]),
        (Filter(text="WHAT"), ["one"]),
        (Filter(text="%"), []),
    ],
)
async def test_questions_are_found_by_place_turns_and_words(database, tmp_path, wanted, ids):
    await keep(database, tmp_path, *TWO)
    page = await sets.page(database, "ours", None, wanted, 0, public=False)
    assert ([each.id for each in page.questions], page.matching) == (ids, len(ids))


async def test_a_set_version_or_question_that_is_not_there_is_said_so(database, tmp_path):
    await keep(database, tmp_path, *TWO)
    with pytest.raises(QuestionSetNotFound):
        await sets.export(database, "ours", 2)
    with pytest.raises(QuestionSetNotFound):
        await sets.publish(database, "theirs", public=True)
    with pytest.raises(QuestionNotFound):
        await sets.question(database, "ours", None, "three")


@pytest.mark.both_databases
async def test_a_search_folds_case_in_every_script_and_alike_on_both_databases(database, tmp_path):
    prompts = [
        "ПРИВЕТ мир",
        "Zwei ÄPFEL",
        "drei birnen",
        "ΟΔΟΣ",
        "Die STRASSE",
        "ＡＰＩ 文档",
        "İstanbul",
        "100 % sicher_ja",
    ]
    questions = [question(id=f"q{number}", turns=[prompt]) for number, prompt in enumerate(prompts)]
    await keep(database, tmp_path, *questions, name="words")
    wanted = {
        "привет": [0],
        "ПРИВЕТ": [0],
        "äpfel": [1],
        "BIRNEN": [2],
        "οδος": [3],
        "straße": [4],
        "api": [5],
        "文档": [5],
        "% SICHER_": [7],
        "i": [2, 4, 5, 6, 7, 1],
        "nothing": [],
    }
    for text, places in wanted.items():
        version = await database.read(stored.version, "words", None)
        count, found = await database.read(stored.search, version.id, Filter(text=text), 0, 50)
        assert sorted(row.name for row in found) == sorted(f"q{place}" for place in places), text
        assert count == len(places)
    count, found = await database.read(stored.search, version.id, Filter(text="i"), 1, 2)
    assert (count, [row.name for row in found]) == (6, ["q2", "q4"])
