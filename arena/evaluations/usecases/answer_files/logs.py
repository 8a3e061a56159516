"""Logs of Inspect (`.eval`, a zip with a member a sample, or `.json`) and of promptfoo (`-o FILE.json`, `.jsonl`).

Inspect: `inspect_ai.log`, version 2 of the log. promptfoo: `EvaluateSummaryV3` of its `src/types`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Final, cast
from zipfile import ZipFile

from arena.adapters.row_files.limits import TEXT_ROWS, check_members
from arena.adapters.row_files.rows import Unusable, mapping, shown
from arena.domain.errors import Invalid
from arena.domain.terms import JsonObject
from arena.evaluations.usecases.answer_files.entries import Entry, FileAnswer, Line, message_text, require_text
from arena.evaluations.usecases.sets.formats.fields import text

DOCUMENT_LIMIT: Final = 512 * 2**20
"""Most bytes of a log that is one JSON document, which is read into memory."""
GRADES: Final = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
"""Values of scorers' words, as in Inspect's metrics."""
_HEADERS: Final = ("header.json", "_journal/start.json")
_LABEL: Final = 40
_ATTACHMENT: Final = "attachment://"


def is_archive(archive: ZipFile) -> bool:
    """Whether a zip is a log of Inspect."""
    return not set(_HEADERS).isdisjoint(archive.namelist())


def archive_log(archive: ZipFile) -> Iterator[Line]:
    """Stream the samples of a `.eval` log in the order of its data set, of the first epoch only.

    Raises:
        Invalid: It has no header.
    """
    names = set(archive.namelist())
    header = mapping(_member(archive, next(name for name in _HEADERS if name in names)))
    spec = mapping(header.get("eval"))
    place = {f"samples/{name}_epoch_1.json": number for name, number in _places(spec).items()}
    samples = [name for name in names if name.startswith("samples/") and name.endswith("_epoch_1.json")]
    for number, name in enumerate(sorted(samples, key=lambda name: (place.get(name, len(place)), name)), start=1):
        try:
            yield number, _sample(spec, mapping(_member(archive, name)))
        except Unusable as error:
            yield number, error


def document(file: IO[bytes], path: Path) -> JsonObject:
    """Read a log that is one JSON document.

    Raises:
        Invalid: It is too long, or damaged.
    """
    content = file.read(DOCUMENT_LIMIT + 1)
    if len(content) > DOCUMENT_LIMIT:
        raise Invalid(
            f"{path}: a log of more than {DOCUMENT_LIMIT >> 20} MiB in one piece of JSON; Inspect writes it sample by "
            "sample with `inspect log convert --to eval`.",
            rule="file_costly",
        )
    try:
        return mapping(json.loads(content))
    except (ValueError, RecursionError):
        raise Invalid(f"{path}: not valid JSON, or the file is cut off.", rule="file_json", line=1) from None


def inspect_log(log: Mapping[str, object]) -> Iterator[Line]:
    """The samples of a `.json` log in the order of its data set, of the first epoch only."""
    spec = mapping(log.get("eval"))
    place, samples = _places(spec), [mapping(sample) for sample in cast("list[object]", log.get("samples") or [])]
    first = [sample for sample in samples if sample.get("epoch", 1) == 1]
    ranking = sorted(first, key=lambda sample: place.get(str(sample.get("id")), len(place)))
    for number, sample in enumerate(ranking, start=1):
        try:
            yield number, _sample(spec, sample)
        except Unusable as error:
            yield number, error


def promptfoo(log: Mapping[str, object]) -> Iterator[Line]:
    """The results of promptfoo; a model is a provider with a prompt, and only the first of repeated results is used."""
    results = mapping(log.get("results"))
    rows = [mapping(row) for row in cast("list[object]", results.get("results") or [])]
    yield from promptfoo_results(enumerate(rows, start=1), has_prompts=has_several_prompts(rows))


def has_several_prompts(rows: Iterable[Mapping[str, object]]) -> bool:
    """Whether a provider was asked several prompts; `promptIdx` numbers pairs of provider and prompt."""
    places: dict[str, set[str]] = {}
    for row in rows:
        places.setdefault(json.dumps(row.get("provider"), sort_keys=True), set()).add(str(row.get("promptIdx")))
    return any(len(numbers) > 1 for numbers in places.values())


def promptfoo_results(rows: Iterable[tuple[int, object]], *, has_prompts: bool) -> Iterator[Line]:
    """Results of promptfoo one by one, as lines of `-o FILE.jsonl` have them; `has_prompts` if there are several."""
    seen = set[tuple[str, str]]()
    for number, row in rows:
        try:
            entry = _result(mapping(row), has_prompts=has_prompts)
        except Unusable as error:
            yield number, error
            continue
        place = (entry.turns[0], entry.answers[0].model)
        if place not in seen:
            seen.add(place)
            yield number, entry


def _places(spec: Mapping[str, object]) -> dict[str, int]:
    """The places of samples in their data set by id."""
    ids = cast("list[object]", mapping(spec.get("dataset") or {}).get("sample_ids") or [])
    return {str(name): number for number, name in enumerate(ids)}


def _member(archive: ZipFile, name: str) -> object:
    """The JSON of a member.

    Raises:
        Unusable: It is longer than `TEXT_ROWS`, or damaged.
    """
    try:
        with archive.open(name) as member:
            content = member.read(TEXT_ROWS.size + 1)
        # A longer one is cut off and fails to parse.
        check_members(content.decode(), 1)
        return json.loads(content)
    except Invalid as error:
        raise Unusable(f"{name}: {error}", rule="sample", name=name) from None
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - a damaged archive can make the library raise anything
        raise Unusable(f"{name}: damaged ({type(error).__name__})", rule="sample", name=name) from None


def _sample(spec: Mapping[str, object], sample: Mapping[str, object]) -> Entry:
    name, model = sample.get("id"), require_text(spec.get("model"), "model")
    if not isinstance(name, str | int):
        raise Unusable(f"id: {shown(name)}", rule="form", column="id")
    choices = cast("list[object]", mapping(sample.get("output") or {}).get("choices") or [])
    if not choices:
        error = mapping(sample.get("error") or {}).get("message")
        raise Unusable(
            f"sample {name}: no answer{f': {shown(error)}' if error else ''}", rule="missing", column="answer"
        )
    attachments = mapping(sample.get("attachments") or {})
    answer = message_text(mapping(mapping(choices[0]).get("message")).get("content"), f"sample {name}: answer")
    target = sample.get("target")
    reference = " / ".join(map(str, cast("list[object]", target))) if isinstance(target, list) else text(target)
    scores = dict(_scores(mapping(sample.get("scores") or {})))
    result = FileAnswer(model, [_resolve(answer, attachments)], scores)
    turns = [_resolve(_prompt_text(sample.get("input")), attachments)]
    return Entry(str(name), turns, [result], {"area": text(spec.get("task")), "reference": reference or None})


def _resolve(content: str, attachments: Mapping[str, object]) -> str:
    """A text, or the attachment to which it refers."""
    return (
        str(attachments.get(content.removeprefix(_ATTACHMENT), content)) if content.startswith(_ATTACHMENT) else content
    )


def _prompt_text(value: object) -> str:
    """The question: the user's message, or the whole conversation with roles if it has several messages."""
    if not isinstance(value, list):
        return require_text(value, "input")
    messages = [mapping(message) for message in cast("list[object]", value)]
    conversation = [message for message in messages if message.get("role") in {"user", "assistant"}]
    texts = [message_text(message.get("content"), "input") for message in conversation]
    if len(texts) == 1:
        return texts[0]
    return require_text(
        "\n\n".join(f"{mes['role']}: {text}" for mes, text in zip(conversation, texts, strict=True)), "input"
    )


def _scores(scores: JsonObject) -> Iterator[tuple[str, float]]:
    """Scores as numbers; a dictionary of values gives several scores."""
    for scorer, score in scores.items():
        value: object = mapping(score).get("value")
        parts = cast("dict[str, object]", value) if isinstance(value, dict) else {"": value}
        for part, entry in parts.items():
            number = _number(entry)
            if number is not None:
                yield f"{scorer}/{part}" if part else scorer, number


def _number(value: object) -> float | None:
    if isinstance(value, str):
        return GRADES.get(value, GRADES.get(value.casefold()))
    if not isinstance(value, bool | int | float) or not abs(value) <= sys.float_info.max:
        return None
    return float(value)


def _result(row: JsonObject, *, has_prompts: bool) -> Entry:
    prompt, provider = mapping(row.get("prompt") or {}), row.get("provider")
    identity: JsonObject = {"id": provider} if isinstance(provider, str) else mapping(provider)
    model, label = (
        text(identity.get("label")) or require_text(identity.get("id"), "provider"),
        text(prompt.get("label")) or "",
    )
    if has_prompts:
        number = int(row.get("promptIdx") or 0) + 1
        model = f"{model} · {label if 0 < len(label) <= _LABEL and label.isprintable() else f'prompt {number}'}"
    output = mapping(row.get("response") or {}).get("output")
    if output is None:
        error = row.get("error")
        raise Unusable(f"output: missing{f': {shown(error)}' if error else ''}", rule="missing", column="output")
    answer = require_text(output if isinstance(output, str) else json.dumps(output, ensure_ascii=False), "output")
    assertions = mapping(row.get("testCase") or {}).get("assert")
    scores = dict(_scores({"assertions": {"value": row.get("score")}})) if assertions else {}
    return Entry(None, [_variables(row, prompt)], [FileAnswer(model, [answer], scores)])


def _variables(row: Mapping[str, object], prompt: Mapping[str, object]) -> str:
    """The question: the only variable, several with their names, or the prompt without any."""
    variables = mapping(row.get("vars") or {})
    if not variables:
        return require_text(prompt.get("raw"), "prompt")
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in variables.items()}
    is_bare = len(texts) == 1
    return require_text("\n".join(text if is_bare else f"{name}: {text}" for name, text in texts.items()), "vars")
