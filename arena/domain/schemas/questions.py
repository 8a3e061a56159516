"""Questions and question sets in files and in the API."""

from __future__ import annotations

from datetime import datetime
from string import ascii_uppercase
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from arena.domain.schemas.base import Wire
from arena.domain.text import UNSTORABLE, has_visible_text, well_formed
from arena_providers.terms import Role

TEXT_LIMIT: Final = 100_000
"""Most characters of a prompt, a hint, a reference or an answer of a set."""
NAME_LIMIT: Final = 80
"""Most characters of the name of a set, an area, a category or a task."""
ID_LIMIT: Final = 64
FACT_LIMIT: Final = 300
"""Most characters of a licence or a source."""
TURN_LIMIT: Final = 40
"""Most turns of a question; those of published dialogues have up to 21."""
MESSAGE_LIMIT: Final = 200
"""Most messages of a logged conversation."""
OPTIONS: Final = 4
"""Options of an open question that was converted into a closed one."""


def _cleaned(value: object) -> object:
    if not isinstance(value, str):
        return value
    if well_formed(value) != value:
        raise PydanticCustomError("unstorable", UNSTORABLE)
    return value.strip()


def _blank_is_none(value: object) -> object:
    cleaned = _cleaned(value)
    return None if cleaned == "" else cleaned


def _visible(text: str) -> str:
    if not has_visible_text(text):
        raise PydanticCustomError("blank", "blank")
    return text


def _line(text: str) -> str:
    if not text.isprintable():
        raise PydanticCustomError("line", "not printable characters on one line")
    return text


_Line = Annotated[str, AfterValidator(_line), AfterValidator(_visible), BeforeValidator(_cleaned)]
_Id = Annotated[_Line, Field(max_length=ID_LIMIT)]
_Name = Annotated[_Line, Field(max_length=NAME_LIMIT)]
_SetName = Annotated[_Name, Field(pattern=r"^[^/\\?#]+$")]
"""A name that is part of URLs."""
_Fact = Annotated[_Line, Field(max_length=FACT_LIMIT)]
_Language = Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z]{2,4})?$")]
_Text = Annotated[str, AfterValidator(_visible), BeforeValidator(_cleaned), Field(max_length=TEXT_LIMIT)]
_MaybeName = Annotated[_Name | None, BeforeValidator(_blank_is_none)]
_MaybeText = Annotated[_Text | None, BeforeValidator(_blank_is_none)]


class RankedAnswerView(Wire):
    """An answer with its votes by people, with which a model's likelihoods are correlated."""

    text: _Text
    votes: Annotated[float, Field(allow_inf_nan=False)]


class RequestMessageView(Wire):
    """One message of a logged conversation."""

    role: Literal[Role.USER, Role.ASSISTANT]
    text: Annotated[str, AfterValidator(_visible), Field(max_length=TEXT_LIMIT)]


class ModelRequestView(Wire):
    """Request of a logged call, which other models are asked in the same way.

    The last message is the user's; parameters that are None were left to the model.
    """

    system_prompt: Annotated[str | None, Field(max_length=TEXT_LIMIT)] = None
    messages: Annotated[list[RequestMessageView], Field(min_length=1, max_length=MESSAGE_LIMIT)]
    temperature: Annotated[float | None, Field(ge=0, le=2)] = None
    top_p: Annotated[float | None, Field(gt=0, le=1)] = None
    max_tokens: Annotated[int | None, Field(ge=1, le=1_000_000)] = None


class QuestionView(Wire):
    """One question: its prompts in order, its place in the tree of tasks, and facts about right answers.

    `options` have the letters from A on, and `key` is the letter of the right one. Models are asked the
    `request`, if there is one, and the only prompt is what people are shown of it.
    """

    id: _Id
    turns: Annotated[list[_Text], Field(min_length=1, max_length=TURN_LIMIT)]
    area: _MaybeName = None
    category: _MaybeName = None
    task: _MaybeName = None
    difficulty: _MaybeName = None
    hint: _MaybeText = None
    reference: _MaybeText = None
    options: Annotated[list[_Text], Field(max_length=len(ascii_uppercase))] = Field(default_factory=list)
    key: Annotated[str | None, Field(pattern=r"^[A-Z]$")] = None
    request: ModelRequestView | None = None
    answers: Annotated[list[RankedAnswerView], Field(max_length=1_000)] = Field(
        default_factory=list["RankedAnswerView"]
    )

    @model_validator(mode="after")
    def _check_parts(self) -> QuestionView:
        if self.key is not None and self.key not in ascii_uppercase[: len(self.options)]:
            raise PydanticCustomError("key", "key: not the letter of an option")
        if self.request is not None and (len(self.turns) > 1 or self.request.messages[-1].role is not Role.USER):
            raise PydanticCustomError("request", "request: one turn, and a last message of the user")
        return self


class WordingView(Wire):
    """A closed question converted from an open one: its text, its options, and the letter of the right one."""

    question: _Text
    options: Annotated[list[_Text], Field(min_length=OPTIONS, max_length=OPTIONS)]
    key: Annotated[str, Field(pattern=r"^[A-D]$")]


class PlannedPlaceView(Wire):
    """A node of the tree of tasks, and the planned number of its questions."""

    area: _Name
    category: _MaybeName = None
    task: _MaybeName = None
    questions: Annotated[int, Field(ge=0, le=1_000_000)] = 1

    @model_validator(mode="after")
    def _no_loop(self) -> PlannedPlaceView:
        if self.task is not None and self.task == self.area != self.category:
            raise PydanticCustomError("loop", "task: the area again, so that the node would be below itself")
        return self


class StatedSetView(Wire):
    """Facts about a set; the language is empty if its questions have several."""

    name: _SetName
    licence: _Fact
    source: _Fact
    language: Annotated[_Language, Field()] | Annotated[str, Field(max_length=0)] = ""


class SetFactsView(StatedSetView):
    """Facts in every copy of a set; `plan` is the tree of tasks with planned numbers, perhaps empty."""

    plan: Annotated[list[PlannedPlaceView], Field(max_length=10_000)] = Field(default_factory=list["PlannedPlaceView"])


class SetView(StatedSetView):
    """A version of a set; the digest is the SHA-256 of its exported file."""

    version: int
    digest: str
    questions: int
    public: bool
    created_at: datetime


class TreeNodeView(Wire):
    """The number of questions of an area, category or task, in the order of the set; a blank name is for none.

    `planned` is the planned number, 0 without a plan; `children` are one level below.
    """

    name: str
    questions: int
    planned: int = 0
    children: list[TreeNodeView]


class SetDetailView(SetView):
    """A version of a set with its tree, and the numbers of all versions."""

    versions: list[int]
    tree: list[TreeNodeView]


class QuestionPageView(Wire):
    """Questions that match a filter, from `start` on, and the number of all that match."""

    matching: int
    start: int
    questions: list[QuestionView]


class IdeaView(Wire):
    """Prompts of a category of public sets, offered as ideas."""

    category: str
    prompts: list[str]
