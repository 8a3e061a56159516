"""The app: a page for each language with battle, side by side, direct chat and leaderboard, and an API."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# Gradio gives dictionaries and events without types.

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import gradio as gr
from gradio import themes
from gradio.components import Navbar

from arena.client import Outcome
from arena_gradio import api, board
from arena_gradio.handlers import FAULTS, KINDS, Room, sentence
from arena_gradio.texts import PATHS, AppTexts
from arena_gradio.visitors import Arena, Visit, read_visit

STORAGE: Final = "arena-gradio"
"""Key of the browser's storage that all languages share."""
RUNNING: Final = 200
"""Most streams at once; Gradio runs one of each kind without a limit of our own."""
WAITING: Final = 400
"""Most calls that wait for their turn; further ones are told so."""
STYLES: Final = Path(__file__).parent / "app.css"
HEAD: Final = """<script>
try {
  localStorage.length;
} catch {
  const values = new Map();
  const getItem = (key) => values.get(key) ?? null;
  const setItem = (key, value) => values.set(key, value);
  const removeItem = (key) => values.delete(key);
  Object.defineProperty(window, "localStorage", { configurable: true, value: { getItem, setItem, removeItem } });
}
</script>"""
"""A storage for the time of one load where the browser refuses its own, which Gradio takes for granted."""
LATEX: Final = [
    {"left": "$$", "right": "$$", "display": True},
    {"left": "\\[", "right": "\\]", "display": True},
    {"left": "\\(", "right": "\\)", "display": False},
]


def build(arena: Arena, secret: str) -> gr.Blocks:
    """Build the app over `arena`; `secret` encrypts what a browser keeps, the same after a restart."""
    with gr.Blocks(analytics_enabled=False, title=AppTexts("en")("title"), fill_width=True) as demo:
        _page(arena, AppTexts("en"), secret)
        api.add(arena)
    for language, path in PATHS.items():
        if path:
            with demo.route(AppTexts(language)("name"), path):
                _page(arena, AppTexts(language), secret)
    demo.max_threads = RUNNING
    return demo.queue(api_open=False, max_size=WAITING, default_concurrency_limit=RUNNING)


def _page(arena: Arena, words: AppTexts, secret: str) -> None:
    Navbar(main_page_name=AppTexts("en")("name"))
    gr.Markdown(f"# {words('title')}\n\n{words('lead')}", elem_id="lead")
    visit = gr.BrowserState({}, storage_key=STORAGE, secret=secret)
    practice = gr.Markdown(visible=False, elem_id="practice")
    with gr.Group(visible=False, elem_id="terms") as terms:
        gr.Markdown(words("terms", page=arena.page), padding=True)
        agreed = gr.Checkbox(label=words("agree"), elem_id="agree")
    lists = list[gr.Dropdown]()
    for kind in KINDS:
        with gr.Tab(words(kind), id=kind):
            desk = Desk.laid(Room(arena, words, kind), visit, terms, agreed)
            desk.connect()
            lists += [desk.models] if desk.models else []
    with gr.Tab(words("board"), id="board") as tab:
        _board(arena, words, tab)
    gr.Markdown(words("elsewhere", page=arena.page), elem_id="elsewhere")
    gr.on(
        None,
        _entrance(arena, words),
        [visit],
        [practice, terms, agreed, *lists],
        api_visibility="private",
        show_progress="hidden",
        js=f"(...values) => {{ document.documentElement.lang = '{words.language}'; return values; }}",
    )


def _entrance(arena: Arena, words: AppTexts) -> Callable[..., Any]:
    async def enter(visit: Visit, request: gr.Request) -> tuple[object, ...]:
        """Show the terms to whoever has not accepted them, the line on practice models, and the models of chats."""
        visit = read_visit(visit)
        async with arena.client(visit, request) as client:
            try:
                status, models = await client.get_status(), await client.list_models()
            except FAULTS as error:
                return gr.update(value=sentence(error, words, arena), visible=True), *(gr.skip() for _ in range(4))
        accepted = bool(status.terms) and visit.get("agreed") == status.terms
        names = [model.name for model in models if model.state == "active"]
        return (
            gr.update(value=words("practice.mixed" if status.mixed else "practice"), visible=status.practice),
            gr.update(visible=bool(status.terms) and not accepted),
            True if accepted else gr.skip(),  # the visitor may have ticked it meanwhile
            *(gr.update(choices=names) for _ in range(2)),
        )

    return enter


@dataclass(frozen=True, slots=True)
class Desk:
    """The components of one room, and what happens when they are used."""

    room: Room
    visit: gr.BrowserState
    terms: gr.Group
    agreed: gr.Checkbox
    models: gr.Dropdown | None
    chats: Sequence[gr.Chatbot]
    notice: gr.Markdown
    after: gr.Markdown
    trouble: gr.Markdown
    box: gr.Textbox
    send: gr.Button
    buttons: dict[str, gr.Button]
    votes: dict[str, gr.Button]

    @classmethod
    def laid(cls, room: Room, visit: gr.BrowserState, terms: gr.Group, agreed: gr.Checkbox) -> Desk:
        """Lay the components out."""
        words, kind = room.words, room.kind
        models = None
        if kind != "battle":
            several = kind == "pair"
            models = gr.Dropdown([], label=words("models"), elem_id=f"{kind}-models", multiselect=several)
        with gr.Row(elem_classes="columns"):
            chats = [
                gr.Chatbot(
                    label=words(f"side.{side.value}") if kind != "direct" else words("direct"),
                    elem_id=f"{kind}-{side.value}",
                    placeholder=words("side.empty"),
                    latex_delimiters=LATEX,
                    buttons=["copy"],
                    allow_tags=False,
                    height="30vh",
                )
                for side in room.sides
            ]
        notice = gr.Markdown(elem_id=f"{kind}-notice", elem_classes="notice")
        votes = dict[str, gr.Button]()
        if kind == "battle":
            with gr.Row(elem_classes="votes"):
                for outcome in Outcome:
                    name = f"vote-{outcome.value}"
                    votes[outcome.value] = gr.Button(
                        words(f"vote.{outcome.value}"), interactive=False, elem_id=name, min_width=120
                    )
        after = gr.Markdown(elem_id=f"{kind}-after", elem_classes="after")
        with gr.Row(elem_classes="ask"):
            box = gr.Textbox(
                label=words("prompt"), placeholder=words("prompt.hint"), lines=1, max_lines=8, scale=8,
                elem_id=f"{kind}-prompt",
            )  # fmt: skip
            send = gr.Button(words("send"), variant="primary", scale=1, min_width=96, elem_id=f"{kind}-send")
        trouble = gr.Markdown(elem_id=f"{kind}-trouble", elem_classes="trouble")
        with gr.Row(elem_classes="acts"):
            titles = {name: words("new.chat" if name == "new" and kind != "battle" else name) for name in room.buttons}
            buttons = {
                name: gr.Button(title, interactive=False, size="sm", elem_id=f"{kind}-{name}", min_width=96)
                for name, title in titles.items()
            }
        return cls(room, visit, terms, agreed, models, chats, notice, after, trouble, box, send, buttons, votes)

    def connect(self) -> None:
        """Say what each component does. Streams write to the columns alone: each further output costs every frame."""
        acts, room = [*self.buttons.values(), *self.votes.values()], self.room
        hidden: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
        models = [self.models] if self.models else [gr.State(None)]
        question = gr.on(
            [self.send.click, self.box.submit],
            room.begin,
            [self.box, self.visit, self.agreed, *models],
            [self.visit, self.box, self.trouble, self.terms, *acts],
            **hidden,
        )
        self._follow(question, hidden)
        for name, button in self.buttons.items():
            act = room.leave if name == "new" else room.act(name)
            pressed = button.click(act, [self.visit], [self.visit, self.trouble, *acts], **hidden)
            if name != "stop":  # the stream that is shown ends by itself
                self._follow(pressed, hidden)
        for outcome, button in self.votes.items():
            voted = button.click(room.vote(Outcome(outcome)), [self.visit], [self.trouble], **hidden)
            self._follow(voted, hidden)  # shown anew, since what was cut is told from the vote on
        self._follow(gr.on(None, _nothing, None, None, **hidden), hidden, opened=True)

    def _follow(self, event: Any, hidden: dict[str, Any], *, opened: bool = False) -> None:  # noqa: ANN401 - untyped
        """Show the conversation after an event, and then how it stands; `opened` is for the page that opens."""
        room, acts = self.room, [*self.buttons.values(), *self.votes.values()]
        show, settle = (room.show_again, room.resume) if opened else (room.show, room.settle)
        shown = event.then(show, [self.visit], [*self.chats], **hidden)
        shown.then(settle, [self.visit], [self.visit, self.notice, self.after, *acts], **hidden)


def _nothing() -> None:
    """Begin a chain of what happens when the page is opened."""


def _board(arena: Arena, words: AppTexts, tab: gr.Tab) -> None:
    category = gr.Dropdown([(words("category.all"), "")], value="", label=words("category"), elem_id="board-category")
    when = gr.Markdown(elem_id="board-when")
    picture = gr.HTML(elem_id="board-picture")
    rows = gr.Dataframe(headers=board.headers(words), interactive=False, elem_id="board-table", label=words("board"))

    async def read(chosen: str, request: gr.Request) -> tuple[object, ...]:
        async with arena.client({}, request) as client:
            try:
                view = await client.get_leaderboard(chosen or "")
            except FAULTS as error:
                return gr.skip(), sentence(error, words, arena), "", []
        names = sorted({part.category for part in view.boards if part.category and not part.language})
        options = [(words("category.all"), ""), *((words.named("category", name), name) for name in names)]
        shown = board.as_of(view, words), board.picture(view, words), board.table(view, words)
        return gr.update(choices=options), *shown

    gr.on(
        [tab.select, category.input], read, [category], [category, when, picture, rows],
        api_visibility="private", show_progress="hidden",
    )  # fmt: skip


def theme() -> gr.Theme:
    """Return a plain theme with the fonts of the system, so that none is fetched."""
    fonts = ("ui-sans-serif", "system-ui", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "sans-serif")
    soft = themes.Soft(primary_hue="indigo", font=fonts, font_mono=("ui-monospace", "monospace"))
    # With these all texts have the contrast that WCAG asks for.
    strong = ("block_label_text_color", "block_title_text_color", "color_accent", "button_primary_background_fill")
    colours = dict.fromkeys(strong, "*primary_700") | {"button_primary_background_fill_hover": "*primary_800"}
    return soft.set(**colours, body_text_color_subdued="*neutral_600", input_placeholder_color="*neutral_500")
