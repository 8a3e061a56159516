"""Files of answers and annotations, in and out."""

import asyncio
import json
from concurrent.futures import Future
from random import Random

import pytest
from sqlalchemy import func, select

from arena.adapters.store.engine import short_transactions
from arena.domain.errors import ArenaError, Invalid
from arena.domain.schemas.questions import QuestionView
from arena.evaluations.store.tables.annotations import AnnotationRow, AnnotatorRow
from arena.evaluations.usecases import importer, views
from arena.evaluations.usecases.reports import export
from tests.conftest import START
from tests.evaluations.usecases.populated import add_evaluation
from tests.statements import recorded

IDS = "`arena questions export ours FILE` has the ids"
STARS = {"accuracy": 3, "informativeness": 2, "fluency": 3, "logic": 1, "harmlessness": 3}


def jsonl(*rows: object) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def number_of_annotations(session) -> int:
    return session.scalar(select(func.count()).select_from(AnnotationRow))


@pytest.fixture
def take(database, tmp_path):
    """Import rows, or a text as it is."""

    async def taken(*rows: object, text: str = "", **options):
        path = tmp_path / "rows"
        path.write_text(text or jsonl(*rows))
        return await importer.import_file(database, "taste", path, START, **options)

    return taken


def outcome(question="poem", a="red-7b", b="blue-7b", said: object = "a", annotator="one", **more):
    return {"question": question, "a": a, "b": b, "outcome": said, "annotator": annotator, **more}


async def test_answers_and_outcomes_are_added_once_whichever_side_they_stood_on(database, take):
    await add_evaluation(database, others=["gull"])
    rows = (
        {"question": "poem", "model": "gull", "answer": "O gull!"},
        {"question": "sum", "model": "gull", "answers": ["4", "6"]},
        outcome(),
        outcome(a="blue-7b", b="red-7b", said="b", annotator="two"),
        outcome(a="gull", said="tie"),
    )
    done = await take(*rows)
    assert (done.answers, done.annotations, done.duplicates, done.refused) == (2, 3, 0, [])
    again = await take(*rows)
    assert (again.answers, again.annotations, again.duplicates) == (0, 0, 5)
    found = await views.progress(database, "taste")
    assert (found.items, found.annotations, found.models[2].answered) == (2, 3, 2)


TRUTHS = {True: ("true", "True", " TRUE ", "yes", "1", "1.0"), False: ("false", "False", "no", "0", "0.0", "")}


@pytest.mark.sqlite
@pytest.mark.parametrize(("value", "word"), [(value, word) for value, words in TRUTHS.items() for word in words])
async def test_a_word_of_csv_is_the_truth_it_is_in_json(database, take, value, word):
    await add_evaluation(database)
    await take(outcome(annotator="json", swapped=value, hints=value, milliseconds=900))
    text = f"question,a,b,outcome,annotator,swapped,hints,milliseconds\npoem,red-7b,blue-7b,a,csv,{word},{word},900\n"
    assert (await take(text=text)).annotations == 1
    query = select(AnnotationRow).order_by(AnnotationRow.annotator_id)
    rows = await database.read(lambda session: [*session.scalars(query)])
    assert [(row.swapped, row.milliseconds) for row in rows] == [(value, 900)] * 2
    people = await database.read(lambda session: [*session.scalars(select(AnnotatorRow.hints))])
    assert people == [value, value or not word]


async def test_a_word_that_is_no_truth_is_a_bad_row(database, take):
    await add_evaluation(database)
    (refusal,) = (await take(outcome(swapped="left"))).refused
    assert str(refusal) == "line 1: swapped: neither true nor false: 'left'"


@pytest.mark.sqlite
async def test_an_export_imports_as_the_same_evaluation(database, take, tmp_path):
    await add_evaluation(database, protocol="stars", others=["gull"])
    scored = {"question": "sea", "model": "gull", "annotator": "one", **STARS, "milliseconds": 900}
    await take({"question": "poem", "model": "gull", "answer": "O!"}, scored, {**scored, "attempt": 1, "logic": 3})
    content = b"".join(await export.export(database, "taste"))
    facts, answer, *said = map(json.loads, content.splitlines())
    assert (facts["questions"]["name"], answer["answers"], said[0]["logic"], said[1]["attempt"]) == (
        "ours",
        ["O!"],
        1,
        1,
    )
    assert (await take(text=content.decode())).duplicates == 3
    await add_evaluation(database, "other", protocol="stars", others=["gull"])
    path = tmp_path / "export"
    path.write_bytes(content)
    done = await importer.import_file(database, "other", path, START)
    assert (done.answers, done.annotations, done.refused) == (1, 2, [])
    exported = b"".join(await export.export(database, "other"))
    assert exported.replace(b'"other"', b'"taste"', 1) == content


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("row", "why"),
    [
        (outcome(question="none"), f"question: neither an id nor a question of the set: 'none'; {IDS}"),
        (outcome(a="gull"), "a: not a model of this evaluation: 'gull'"),
        (outcome(b="red-7b"), "a and b are the same model"),
        (outcome(said="left"), "outcome: one of a, b, tie, both_bad, skip."),
        (outcome(said=["a"]), "outcome: one of a, b, tie, both_bad, skip."),
        (outcome(said={"a": 1}), "outcome: one of a, b, tie, both_bad, skip."),
        (outcome(annotator=" "), "annotator: 1 to 80 characters: ' '"),
        (outcome(beauty=3), "beauty: unknown here; there are: outcome."),
        ({"question": "sum", "model": "red-7b", "answer": "4"}, "1 answers to 2 turns"),
        ({"question": "poem", "model": "red-7b", "answer": 4}, "answer: a text, or a list of one text for each turn"),
        ({"question": []}, f"question: neither an id nor a question of the set: a list; {IDS}"),
        ({"question": "poem", "b": "red-7b"}, "a: missing"),
    ],
)
async def test_a_bad_row_is_refused_by_line_and_reason_and_the_others_stand(database, take, row, why):
    await add_evaluation(database)
    done = await take(row, outcome())
    assert ([str(each) for each in done.refused], done.annotations) == ([f"line 1: {why}"], 1)
    with pytest.raises(Invalid, match="line 1"):
        await take(row, outcome(annotator="two"), strict=True)
    assert (await views.progress(database, "taste")).annotations == 1


def judged(number: int) -> list[dict[str, object]]:
    """Rows of a file that names each question, item and annotator in several of its transactions."""
    return [
        outcome(("poem", "sea")[n % 2], said=("a", "b", "tie")[n % 3], annotator=f"p{n // 3}", attempt=n % 3 // 2)
        for n in range(number)
    ]


@pytest.mark.both_databases
async def test_an_import_is_written_in_short_transactions_and_repeated_adds_nothing(database, take, monkeypatch):
    monkeypatch.setattr(short_transactions, "BATCH_ROWS", 10)
    await add_evaluation(database)
    loop, others = asyncio.get_running_loop(), list[Future[int]]()
    write = importer._import

    def write_and_let_another(session, *arguments, **options):
        others.append(asyncio.run_coroutine_threadsafe(database.write(number_of_annotations), loop))
        return write(session, *arguments, **options)

    monkeypatch.setattr(importer, "_import", write_and_let_another)
    done = await take(*judged(40), outcome(said="left"), *judged(40))
    passed = [await asyncio.wrap_future(other) for other in others]
    assert (done.annotations, done.duplicates, [bad.line for bad in done.refused]) == (40, 40, [41])
    assert passed == sorted(passed)
    assert passed[0] <= 20
    again = await take(*judged(40))
    assert (again.annotations, again.duplicates, await database.read(number_of_annotations)) == (0, 40, 40)


@pytest.mark.both_databases
@pytest.mark.parametrize("stop", [0, 1, 3])
async def test_an_import_that_was_stopped_keeps_its_transactions_and_goes_on(database, take, monkeypatch, stop):
    monkeypatch.setattr(short_transactions, "BATCH_ROWS", 10)
    await add_evaluation(database, others=["gull"])
    rows = [{"question": "poem", "model": "gull", "answer": "O gull!"}, *judged(39)]
    write, done = importer._import, list[int]()

    def write_or_fail(session, *arguments, **options):
        result = write(session, *arguments, **options)
        if len(done) == stop:
            raise Invalid("the process ends here")
        done.append(result.answers + result.annotations)
        return result

    monkeypatch.setattr(importer, "_import", write_or_fail)
    with pytest.raises(Invalid, match="ends here"):
        await take(*rows)
    assert done == [10] * stop
    monkeypatch.setattr(importer, "_import", write)
    rest = await take(*rows)
    assert (rest.answers + rest.annotations, rest.duplicates, rest.refused) == (40 - 10 * stop, 10 * stop, [])
    assert await database.read(number_of_annotations) == 39


@pytest.mark.sqlite
async def test_a_strict_import_is_one_transaction_however_many_rows_come_before_the_refused_one(
    database, take, monkeypatch
):
    monkeypatch.setattr(short_transactions, "BATCH_ROWS", 10)
    await add_evaluation(database)
    with pytest.raises(Invalid, match="line 41"):
        await take(*judged(40), outcome(said="left"), strict=True)
    assert await database.read(number_of_annotations) == 0
    assert (await take(*judged(40), strict=True)).annotations == 40


@pytest.mark.sqlite
async def test_csv_has_the_same_columns_and_models_may_join(database, take):
    await add_evaluation(database, protocol="score")
    text = "question,model,annotator,score\npoem,gull,one,9\nsea,gull,one,11\n"
    done = await take(text=text, new_models=True)
    assert (done.annotations, [str(each) for each in done.refused]) == (
        1,
        ["line 3: score: a whole number from 1 to 10."],
    )
    assert [each.name for each in (await views.progress(database, "taste")).models][2:] == ["gull"]


@pytest.mark.sqlite
async def test_a_file_that_is_none_is_one_error(database, take, tmp_path):
    await add_evaluation(database)
    with pytest.raises(ArenaError, match="not valid JSON"):
        await take(text="[{]")
    with pytest.raises(ArenaError, match="No such file"):
        await importer.import_file(database, "taste", tmp_path / "nowhere", START)


@pytest.mark.sqlite
@pytest.mark.parametrize("files", [40, pytest.param(10_000, marks=pytest.mark.heavy)])
async def test_mutated_files_are_refused_in_a_sentence_and_crash_nothing(database, tmp_path, files):
    await add_evaluation(database, others=["gull"])
    rows = {"question": "poem", "model": "gull", "answer": "O gull!"}, outcome(), outcome(said="tie", annotator="two")
    whole, rng, path = jsonl(*rows).encode(), Random(1), tmp_path / "rows"
    for _ in range(files):
        path.write_bytes(mutated(whole, rng))
        try:
            refused = [str(each) for each in (await importer.import_file(database, "taste", path, START)).refused]
        except ArenaError as error:
            refused = [str(error)]
        assert all(0 < len(reason) < 400 and "\n" not in reason for reason in refused)


def mutated(content: bytes, rng: Random) -> bytes:
    """Some bytes changed, dropped or doubled, as a broken transfer or a careless editor leaves a file."""
    changed = bytearray(content)
    for _ in range(rng.randint(1, 8)):
        place, length = rng.randrange(len(changed)), rng.randint(1, 12)
        piece = rng.choice(
            [rng.randbytes(length), b"", bytes(changed[place : place + length]) * 2, b"null", b"[1e999]"]
        )
        changed[place : place + length] = piece
    return bytes(changed)


@pytest.mark.sqlite
async def test_rows_are_looked_up_together_and_not_one_by_one(database, take):
    """New items and people are inserted; everything else is few statements, however many rows and questions."""
    questions = [QuestionView(id=f"q{number}", turns=["Why?"]) for number in range(60)]
    await add_evaluation(database, questions=questions, others=["gull"])
    counts = []
    for size in (2, 60):
        rows = [{"question": f"q{number}", "model": "gull", "answer": "So."} for number in range(size)]
        rows += [outcome(question=f"q{number}") for number in range(size)]
        await take(*rows)
        with recorded() as statements:
            again = await take(*rows)
        assert again.duplicates == 2 * size
        counts.append(len(statements))
    assert counts[0] == counts[1]


async def test_columns_of_answers_that_are_not_used_are_named_and_those_of_an_export_are_not(database, take):
    await add_evaluation(database, others=["gull"])
    answer = {"question": "poem", "model": "gull", "answer": "O gull!", "Remarks": "nice", "empty": ""}
    own = {
        "kind": "answer",
        "question": "sea",
        "model": "gull",
        "answers": ["The Baltic."],
        "settings": {},
        "tokens": 3,
    }
    done = await take(answer, {**own, "milliseconds": 5}, outcome())
    assert (done.answers, done.annotations, done.refused, done.unused) == (2, 1, [], ["Remarks"])


@pytest.mark.both_databases
async def test_a_question_is_found_by_its_text_where_it_is_no_id(database, take):
    texts = ("Name a sea.", " Name a river. ", "sea", "poem")
    questions = [QuestionView(id=f"q{number}", turns=[text]) for number, text in enumerate(texts)]
    await add_evaluation(database, questions=[*questions, QuestionView(id="sea", turns=["Why?"])], others=["gull"])
    answers = [{"question": text, "model": "gull", "answer": text} for text in ("Name a sea.", " Name a river.", "sea")]
    done = await take(*answers, outcome("poem"), text="")
    assert (done.answers, done.annotations, done.refused) == (3, 1, [])
    exported = [json.loads(line) for line in await export.export(database, "taste")]
    assert {row["question"]: row["answers"] for row in exported if row.get("model") == "gull"} == {
        "q0": ["Name a sea."],
        "q1": [" Name a river."],
        "sea": ["sea"],
    }
    assert [row["question"] for row in exported if "annotator" in row] == ["q3"]
    table = 'question,model,answer\n"Name a river.",gull,Elbe\n'
    assert (await take(text=table)).duplicates == 1


@pytest.mark.sqlite
async def test_a_text_of_two_questions_is_refused_and_an_id_is_not(database, take):
    questions = [QuestionView(id=name, turns=["Name a sea."]) for name in ("one", "two")]
    await add_evaluation(database, questions=questions, others=["gull"])
    answer = {"question": "Name a sea.", "model": "gull", "answer": "The Baltic."}
    done = await take(answer, {**answer, "question": "two"})
    reason = f"question: the text of 2 questions of the set: 'Name a sea.'; {IDS}"
    assert (done.answers, [str(row) for row in done.refused]) == (1, [f"line 1: {reason}"])


@pytest.mark.sqlite
@pytest.mark.parametrize(
    "head",
    [
        "题目,模型,回答",
        "问题,模型名称,答案",
        "題目,模型,回覆",
        "Question,Model,Answer",
        "question,model,Response,comment",
    ],
)
async def test_usual_heads_of_answers_are_understood(database, take, head):
    await add_evaluation(database, others=["gull"])
    done = await take(text=f"{head}\npoem,gull,O gull!{',' * ('comment' in head)}\n")
    assert (done.answers, done.refused, done.unused) == (1, [], [])


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("head", "word"),
    [
        ("题目,模型A,模型B,胜者,标注者", "平局"),
        ("Question,Model A,Model B,Winner,Judge", "Tie"),
        ("题目,a,b,outcome,评委", "tie"),
    ],
)
async def test_usual_heads_of_outcomes_are_understood(database, take, head, word):
    await add_evaluation(database)
    done = await take(text=f"{head}\npoem,red-7b,blue-7b,{word},anna\n")
    assert (done.annotations, done.refused) == (1, [])


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Frage,Modell\npoem,gull\nsea,gull\n", "no column question; there are: 'Frage', 'Modell'"),
        ("题目,回答\npoem,O gull!\nsea,Baltic\n", "no column model; there are: '题目', '回答'"),
        ('{"prompt_text": "poem"}\n', "no column question; there are: 'prompt_text'"),
    ],
)
async def test_a_missing_column_is_told_once(database, take, text, reason):
    await add_evaluation(database, others=["gull"])
    with pytest.raises(Invalid, match=reason):
        await take(text=text)
