"""Reader of logged calls, one by one: of LiteLLM, of Open WebUI, or rows of `messages` with an answer."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, cast

from arena.adapters.row_files.limits import TOO_LONG, RowLimit
from arena.adapters.row_files.row_file import RowFile, open_rows
from arena.adapters.row_files.rows import Unusable, mapping, shown
from arena.domain.errors import Invalid
from arena.evaluations.usecases.traffic import litellm_logs, message_rows, open_webui_chats
from arena.evaluations.usecases.traffic.logged_calls import CallExclusion, LoggedCall

Call = LoggedCall | Unusable
Parse = Callable[[Mapping[str, object]], Iterator[Call]]

ROWS: Final = RowLimit(16 * 2**20, "; leave out rows with files or images in them", skips_lines=True)
"""A row takes several times its size in memory."""
_FIELDS_SHOWN: Final = 12


def read_calls(path: Path) -> Iterator[Call]:
    """The calls of a file in order, and for each that cannot be used an `Unusable`, whose text is a `CallExclusion`.

    Raises:
        Invalid: The file cannot be read, or is of no format that is read.
    """
    with _opened(path) as file:
        parse = _parser(file)
    with _opened(path) as file:
        for _, row in file.rows():
            yield from _calls(row, parse)


@contextmanager
def _opened(path: Path) -> Generator[RowFile]:
    """A log for the block; all refusals name it."""
    try:
        with open_rows(path, ROWS) as file:
            yield file
    except Invalid as error:
        if str(error).startswith(str(path)):
            raise
        raise Invalid(f"{path}, {error}") from None


def _calls(row: object, parse: Parse) -> Iterator[Call]:
    try:
        fields = mapping(row)
    except Unusable:
        yield Unusable(CallExclusion.HUGE if str(row) == TOO_LONG else CallExclusion.DAMAGED)
        return
    yield from parse(fields)


def _single(parse: Callable[[Mapping[str, object]], LoggedCall]) -> Parse:
    """A parser of rows with one call each."""

    def calls(row: Mapping[str, object]) -> Iterator[Call]:
        try:
            yield parse(row)
        except Unusable as error:
            yield error

    return calls


_PARSERS: Final[tuple[tuple[frozenset[str], Parse], ...]] = (
    (litellm_logs.FIELDS, _single(litellm_logs.litellm_call)),
    (open_webui_chats.FIELDS, open_webui_chats.chat_calls),
    (message_rows.FIELDS, _single(message_rows.message_call)),
)
"""Fields by which a format is recognised, and its parser; the first match is used."""


def _parser(file: RowFile) -> Parse:
    file.start()  # refuses what is no text
    row: object = next(file.rows(), (0, None))[1]
    if row is None:
        raise Invalid(f"{file.path}: it has no rows.")
    names = dict.fromkeys(cast("dict[str, object]", row)) if isinstance(row, dict) else {}
    for fields, parse in _PARSERS:
        if fields <= names.keys():
            return parse
    shown_names = ", ".join(shown(name) for name in list(names)[:_FIELDS_SHOWN])
    fields = f"its fields are: {shown_names}" if names else "its first row is no JSON object on one line"
    raise Invalid(
        f"{file.path}: no log of calls that is read; {fields}. Read are LiteLLM's table of spend"
        " (CSV or JSON) and its callbacks' payloads (JSON lines or an array), chats that Open WebUI exports, and rows"
        " of `messages` in which the last one, or a field `answer`, is the answer."
    )
