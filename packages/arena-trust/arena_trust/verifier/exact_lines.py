"""Lines of an export exactly as the exporter writes those of counted votes: nearly all lines of an arena.

A verifier has to be readable more than fast, so there is one careful way to read a line, `arena_trust.verifier.export`,
which takes any JSON, and this short way for lines that fit one pattern. The pattern lets nothing pass that the
careful way would read otherwise: no escapes, no spaces, no second field of a name, no number in another form. The
text between the quotes is then the value itself, and is taken over into the canonical vote without being decoded and
encoded again, which saves half of the time. A line that does not fit, even by one character, goes the careful way; a
test holds both against each other.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

_TEXT: Final = r'"[^"\\\x00-\x1f]+"'
_WHOLE: Final = r"(?:0|[1-9][0-9]{0,17})"
_NUMBER: Final = rf"{_WHOLE}(?:\.[0-9]{{1,25}})?(?:e-[0-9]{{1,3}})?"
_LINE: Final = re.compile(
    rf'\{{"format":"arena-vote","version":1,"id":{_TEXT},"number":([1-9][0-9]{{0,17}}),'
    rf'"a":({_TEXT}),"b":({_TEXT}),"outcome":"(a|b|tie|both_bad)","voter":{_TEXT},'
    rf'"language":(null|{_TEXT}),"category":(?:null|{_TEXT}),"style":(null|\[{_WHOLE}(?:,{_WHOLE})*\]),'
    rf'"turns":(null|{_WHOLE}),"seconds":(null|{_NUMBER}),"created_at":"([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})[0-9T:.+-]*",'
    rf'"counted":true,"reason":null,"nonce":"([0-9a-f]{{64}})","probability":(null|{_NUMBER})\}}'
)


class ExactVote(NamedTuple):
    """A counted vote with a nonce; `canonical` are the bytes that its leaf commits to."""

    number: int
    a: str
    b: str
    outcome: str
    seconds: float | None
    nonce: bytes
    canonical: bytes


def exact_vote(line: str) -> ExactVote | None:
    """The vote of a line that is exactly as the exporter writes it; None for any other line."""
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    number, a, b, outcome, language, style, turns, seconds, day, nonce, chance = found.groups()
    canonical = (
        f'["arena-vote/1",{number},"{day}",{a},{b},"{outcome}",null,{language},{turns},{style},{_nine_decimals(chance)}]'
    ).encode()
    reading = None if seconds == "null" else float(seconds)
    return ExactVote(int(number), a[1:-1], b[1:-1], outcome, reading, bytes.fromhex(nonce), canonical)


@lru_cache(1 << 14)
def _nine_decimals(chance: str) -> str:
    return chance if chance == "null" else f'"{float(chance):.9f}"'
