"""The model that traffic is asked again: where its calls go, and about how much they cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from arena.adapters.store.tables.endpoints import EndpointRow
from arena.calls.token_costs import estimate
from arena.domain.errors import Invalid
from arena.evaluations.usecases.definition import endpoint_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from arena.domain.schemas.questions import QuestionView
    from arena.evaluations.usecases.answer_files.material import Material, MaterialAnswer

_MILLION: Final = 1e6


@dataclass(frozen=True, slots=True)
class SecondModel:
    """An endpoint that may be asked, with its host and its prices in US dollars per million tokens."""

    name: str
    host: str
    price_in: float | None
    price_out: float | None

    def price(self, material: Material) -> float | None:
        """Dollars of asking all questions of a material, with answers as long as its own; None without prices."""
        if self.price_in is None or self.price_out is None:
            return None
        sent = sum(map(_prompt_tokens, material.questions))
        return (sent * self.price_in + sum(map(_answer_tokens, material.answers)) * self.price_out) / _MILLION


def second_model(session: Session, name: str) -> SecondModel:
    """The model or configuration of this name.

    Raises:
        Invalid: There is none, or it may not be asked.
    """
    try:
        row = session.get_one(EndpointRow, endpoint_of(session, name))
    except Invalid as error:
        if error.params.get("rule") != "no_model":
            raise
        raise Invalid(f"There is no endpoint {name!r}; `arena endpoints list` shows those that there are.") from None
    return SecondModel(name, urlsplit(row.url).hostname or "this machine", row.price_in, row.price_out)


def _prompt_tokens(question: QuestionView) -> int:
    """Estimated tokens of a question's request."""
    request = question.request
    texts = [message.text for message in request.messages] if request else question.turns
    return sum(map(estimate, [*texts, (request and request.system_prompt) or ""]))


def _answer_tokens(answer: MaterialAnswer) -> int:
    """The tokens of an answer, as counted or else estimated."""
    if answer.tokens is not None and answer.sent is not None:
        return answer.tokens - answer.sent
    return sum(map(estimate, answer.texts))
