"""Finds regular expressions that take more than linear time, by running them on texts made from their own characters.

A pattern is collected with the methods that its module calls on it, since one that is only matched at the beginning
tries no other start.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from itertools import islice, permutations
from math import log, log2
from pathlib import Path
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

from arena.evaluations.domain.judges.judge_objects import plain_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

JUDGES = "arena.evaluations.domain.judges."
HEADERS = "arena_providers.marks.headers."
MATCHED = frozenset(
    {
        *(f"{JUDGES}judge_scores.{name}" for name in ("_LINE", "_NUMBER_LINE")),
        *(f"{HEADERS}{name}" for name in ("_CHANNEL", "_FORMS", "_PART", "_ROLE", "_THOUGHT")),
    }
)
"""Patterns that a function of their module only matches, under the name of an argument or a variable."""
ANCHORED = frozenset({"match", "fullmatch"})
METHODS = frozenset({"search", "sub", "subn", "split", "findall", "finditer", *ANCHORED})
SIZES = (18, 40, 1_000)
"""Characters of the texts: with the first ones an exponential pattern still ends."""
SUSPECT = 0.00025
"""Seconds of processor below which a pattern is not looked at closely."""
FEW_ROUNDS = 3
ROUNDS = 12
"""Pairs of runs of a pattern that looks slow, of which the middle one counts."""
MAX_EXPONENT = 1.6
"""Time grows with this power of the size at most; 1 is linear, 2 quadratic."""
CLEARLY_LINEAR = 1.25
"""Below this power of the size a pattern is not looked at more closely."""
CLASSES = "a Z0-_.,:;\"'=/\\\n\t(<[{*#`~|@%é文"
MAX_MARKS = 7
"""Characters of a pattern that are combined in pairs."""
MAX_WORDS = 10
ENDS = ("", "!")
REPEATS = frozenset("*+{")
_plain_lines = lru_cache(10_000)(plain_lines)
"""Patterns are tried on the same texts, and some again and again."""


@dataclass(frozen=True)
class PatternUse:
    """A pattern and where it stands; `anchored` if it is only tried at the beginning of a text."""

    place: str
    pattern: re.Pattern
    anchored: bool

    def run(self, text: str | bytes) -> float:
        """Seconds of processor for all matches in a text."""
        lines = self.lines(text)
        begin = process_time()
        if self.anchored:
            for line in lines:
                self.pattern.match(line)
                self.pattern.fullmatch(line)
        else:
            for line in lines:
                for _ in self.pattern.finditer(line):
                    pass
        return process_time() - begin

    def lines(self, text: str | bytes) -> list:
        """The texts that the pattern sees: those of judges are lines with single spaces."""
        is_judge = self.place.startswith(JUDGES) and not self.place.startswith(f"{JUDGES}judge_objects")
        return _plain_lines(text) if isinstance(text, str) and is_judge else [text]

    def encoded(self, text: str) -> str | bytes:
        return text.encode() if isinstance(self.pattern.pattern, bytes) else text


def patterns_of(root: Path, prefix: str) -> Iterator[PatternUse]:
    """The patterns of all modules below a folder: constants of modules and classes, and literals in calls."""
    for path in sorted(root.rglob("*.py")):
        name = ".".join((prefix, *path.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
        if name.endswith("__main__") or "import re" not in path.read_text("utf-8"):
            continue
        tree = ast.parse(path.read_text("utf-8"))
        uses = _uses(tree)
        for constant, pattern in _constants(import_module(name)):
            methods, place = uses.get(constant.rpartition(".")[2], set()), f"{name}.{constant}"
            yield PatternUse(place, pattern, place in MATCHED or bool(methods and methods <= ANCHORED))
        yield from _literals(tree, name)


def _uses(tree: ast.AST) -> dict[str, set[str]]:
    """The methods of patterns that a module calls on each name; any other use of the name counts as a search."""
    uses, called = defaultdict(set), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in METHODS:
            uses[node.value.id].add(node.attr)
            called.add(node.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node not in called:
            uses[node.id].add("search")
    return uses


def _constants(owner: object) -> Iterator[tuple[str, re.Pattern]]:
    for name, value in vars(owner).items():
        if isinstance(value, type) and value.__module__ == getattr(owner, "__name__", None):
            yield from ((f"{name}.{inner}", pattern) for inner, pattern in _constants(value))
        yield from ((name, pattern) for pattern in _nested(value))


def _nested(value: object, depth: int = 3) -> Iterator[re.Pattern]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict) and depth:
        for inner in (*value, *value.values()):
            yield from _nested(inner, depth - 1)
    elif isinstance(value, (tuple, list, frozenset, set)) and depth:
        for inner in value:
            yield from _nested(inner, depth - 1)


def _literals(tree: ast.AST, module: str) -> Iterator[PatternUse]:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in METHODS
            and isinstance(node.args[0], ast.Constant)
            and isinstance(source := node.args[0].value, (str, bytes))
        ):
            yield PatternUse(f"{module}:{node.lineno}", re.compile(source), node.func.attr in ANCHORED)


def _source(pattern: re.Pattern) -> str:
    return pattern.pattern.decode("latin-1") if isinstance(pattern.pattern, bytes) else pattern.pattern


def adversarial(pattern: re.Pattern) -> Iterator[Callable[[int], str]]:
    """Makers of texts of a size: runs of one character, of two in turn, and of the pattern's words, with an end."""
    source = _source(pattern)
    marks = list(dict.fromkeys(character for character in source if not character.isalnum() or not character.isascii()))
    letters = list(dict.fromkeys(character for character in source if character.isalnum() and character.isascii()))
    words = list(dict.fromkeys(re.findall(r"[^\W_]{2,}", source)))[:MAX_WORDS]
    characters = [*dict.fromkeys((*CLASSES, *marks, *letters[:MAX_MARKS]))]
    own = [*dict.fromkeys((*marks[:MAX_MARKS], *letters[:2], "a", " ", "0"))]
    units: Iterable[str] = (
        *characters,
        *map("".join, permutations(own, 2)),
        *words,
        *(word + mark for word in words for mark in own[:MAX_MARKS]),
    )
    for unit in units:
        for end in ENDS:
            yield partial(_text, "", unit, end)
    for word in words:
        for character in islice(characters, 12):
            yield partial(_text, word, character, "!")


def _text(start: str, unit: str, end: str, size: int) -> str:
    return start + unit * max(1, (size - len(start) - len(end)) // len(unit)) + end


def slow_text(use: PatternUse) -> str | None:
    """The beginning of a text for which a pattern takes more than linear time, if there is one.

    A pattern that repeats nothing tries no more than its own length at each place.
    """
    if not REPEATS & {*_source(use.pattern)}:
        return None
    for text in adversarial(use.pattern):
        for size in SIZES:
            seconds = use.run(use.encoded(text(size)))
            if seconds <= SUSPECT or (size == SIZES[-1] and _halves(use, text, size, seconds)):
                continue
            if _exponent(use, text, size) > MAX_EXPONENT:
                return f"{text(size)[:30]!r} … {text(size)[-3:]!r}"
    return None


def _halves(use: PatternUse, text: Callable[[int], str], size: int, seconds: float) -> bool:
    """Whether half of a text takes about half of the time, as with most patterns that are only slow.

    Where a square is enough of the time for `MAX_EXPONENT` at twice the size, the power is 1.43 or more here.
    """
    half = min(use.run(use.encoded(text(size // 2))) for _ in range(2))
    return log2(seconds / max(half, 1e-9)) < CLEARLY_LINEAR


def _exponent(use: PatternUse, text: Callable[[int], str], size: int) -> float:
    """The power of the size with which the time grows: the middle one of several pairs of runs, each pair in one go.

    What else the machine does slows both runs of a pair.
    """
    larger = size + 2 if size < SIZES[-1] else 2 * size
    texts = [use.encoded(text(number)) for number in (size, larger)]
    exponent = 0.0
    for rounds in (FEW_ROUNDS, ROUNDS):
        pairs = [(use.run(texts[0]), use.run(texts[1])) for _ in range(rounds)]
        if min(after for _, after in pairs) < SUSPECT:
            return 0.0  # what was slow once was another process
        exponent = median(log(after / max(before, 1e-9)) for before, after in pairs) / log(larger / size)
        if exponent < CLEARLY_LINEAR:
            break
    return exponent
