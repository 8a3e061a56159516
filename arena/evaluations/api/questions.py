"""Routes of public sets of questions, and of ideas taken from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import AfterValidator

from arena.adapters.store.questions import Filter
from arena.api.contract import BASE, refusals
from arena.api.dependencies import DatabaseDep
from arena.api.http.turns import Turns
from arena.domain.errors import Busy, QuestionSetNotFound
from arena.domain.schemas.questions import IdeaView, QuestionPageView, SetDetailView, SetView
from arena.domain.text import well_formed
from arena.evaluations.usecases.sets import sets
from arena.evaluations.usecases.sets.prompt_ideas import Ideas

if TYPE_CHECKING:
    from arena.usecases.battles.runtime import Runtime

router = APIRouter(prefix=BASE, tags=["questions"])

IDEAS_CACHE: Final = "public, max-age=300"

Name = Annotated[str, AfterValidator(well_formed)]
Version = Annotated[int | None, Query(ge=1, lt=2**31)]
Place = Annotated[str | None, AfterValidator(lambda name: name and well_formed(name)), Query(max_length=80)]
SearchText = Annotated[str | None, AfterValidator(lambda words: words and well_formed(words)), Query(max_length=200)]


async def _turns(request: Request) -> Turns:
    """The turns of this process at sets, in which a search reads all texts."""
    state = request.app.state
    state.set_turns = getattr(state, "set_turns", None) or Turns()
    return state.set_turns


async def _ideas(request: Request) -> Ideas:
    """The ideas that this process remembers."""
    state = request.app.state
    runtime: Runtime = state.runtime
    state.ideas = getattr(state, "ideas", None) or Ideas(runtime.database, runtime.keys, runtime.script)
    return state.ideas


TurnsDep = Annotated[Turns, Depends(_turns)]
IdeasDep = Annotated[Ideas, Depends(_ideas)]


@router.get("/questions")
async def list_question_sets(database: DatabaseDep) -> list[SetView]:
    """List the newest version of each public set."""
    return await sets.list_sets(database, public=True)


@router.get("/questions/{set_name}", responses=refusals(QuestionSetNotFound, Busy))
async def get_question_set(
    set_name: Name, database: DatabaseDep, turns: TurnsDep, version: Version = None
) -> SetDetailView:
    """Return a public set with the number of its questions by area, category and task."""
    async with turns.take():
        return await sets.record(database, set_name, version, public=True)


@router.get("/questions/{set_name}/items", responses=refusals(QuestionSetNotFound, Busy))
async def list_questions(
    set_name: Name,
    database: DatabaseDep,
    turns: TurnsDep,
    *,
    version: Version = None,
    area: Place = None,
    category: Place = None,
    task: Place = None,
    several_turns: bool | None = None,
    text: SearchText = None,
    start: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> QuestionPageView:
    """Return matching questions of a public set; an empty area, category or task matches questions without one."""
    query = Filter(area, category, task, several_turns, text)
    async with turns.take():
        return await sets.page(database, set_name, version, query, start, public=True)


@router.get("/ideas")
async def list_ideas(
    ideas: IdeasDep, response: Response, language: Annotated[str, Query(pattern="^[a-z]{2,3}$")]
) -> list[IdeaView]:
    """Return short prompts of public sets in a language, by category."""
    response.headers["Cache-Control"] = IDEAS_CACHE
    return await ideas.of(language)
