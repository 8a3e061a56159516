"""Diagnostics of a failed probe: codes, each with a sentence that tells the owner what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from arena.domain.errors import KeyLost
from arena_providers import errors, presets

if TYPE_CHECKING:
    from collections.abc import Mapping

UNREACHABLE: Final = "unreachable"
NO_WAY_OUT: Final = "no_way_out"
NOT_STARTED: Final = "not_started"
KEY_WRONG: Final = "key_wrong"
KEY_MISSING: Final = "key_missing"
UNPROVEN: Final = "unproven"
UNHEARD: Final = "unheard"
ONE_PIECE: Final = "one_piece"
REFUSING: Final = "refusing"
SAME_ANSWER: Final = "same_answer"
NAMES_ITSELF: Final = "names_itself"
NO_STREAM: Final = "no_stream"
LOOKS_LIKE: Final = "looks_like"
BLIND: Final = "blind"
REFUSED: Final = "request_refused"
LOSES_TEXT: Final = "loses_text"
CUMULATIVE: Final = "cumulative"
NO_REASON: Final = "no_reason"
ALL_CUT: Final = "all_cut"
TOO_MUCH_TEXT: Final = "too_much_text"
UNOPENED: Final = "unopened"
THINK_TAGS: Final = "think_tags"
CONTROL_MARKS: Final = "control_marks"
CALL_MARKS: Final = "call_marks"
DOUBTFUL_MARKS: Final = "doubtful_marks"
LIST_FORM: Final = "list_form"
LIST_LONG: Final = "list_long"
LIST_LARGE: Final = "list_large"
LIST_EMPTY: Final = "list_empty"
LIST_NAMELESS: Final = "list_nameless"
LIST_SILENT: Final = "list_silent"
LIST_DOUBTFUL: Final = "list_doubtful"

TITLES: Final = {
    UNREACHABLE: "The server could not be reached; check the address, and that the server is up and open to everybody.",
    NO_WAY_OUT: (
        "This machine does not reach {host}, the vendor's own address; check its way to the internet: name service,"
        " firewall and proxy."
    ),
    NOT_STARTED: "Nothing answers at {host}, on the arena's own machine; start the server there.",
    errors.NOT_ALLOWED: "This address may not be called from here: set ARENA_EGRESS_ALLOW as for `arena serve`.",
    "tls_name": "The certificate belongs to another name; give the server one for the host in the address.",
    "tls_expired": "The certificate has expired; renew it.",
    "tls_untrusted": "Nobody we trust has signed the certificate; use one of a public authority, with its whole chain.",
    "tls": "The server does not speak TLS as expected; serve HTTPS with TLS 1.2 or newer on this port.",
    "no_http": "The server does not answer in HTTP; check which program listens at this address.",
    "headers_too_large": (
        "The server sends over 100 KB of headers or other bytes around its answer; check it, and proxies that add them."
    ),
    "cut": "The server cut the connection; look into its log, and at proxies that end long answers.",
    "redirect": "The server redirects to another address; register the address that it leads to.",
    KEY_MISSING: "The server wants a key and the arena has none; store one.",
    KEY_WRONG: "The server refuses the key (401 or 403); store a valid one that may use this model.",
    "key_lost": "The key cannot be read: a stored one has to be stored again, and a variable has to be set here.",
    "no_credit": "The account has no credit or quota left; check its balance and its plan.",
    "rate_limited": "The server limits the arena (429); raise the limit of this key, or try again later.",
    "not_found": "The server knows no such path or model (404); check the base address and the wire model.",
    REFUSED: "The server refuses the request (4xx); check the wire model and the parameters that you chose.",
    "context_too_long": "A short talk is too long for the model; serve it with a context of at least 8,000 tokens.",
    "server_error": "The server failed by itself (5xx); look into its log and try again.",
    "web_page": "A web page came back instead of an answer; check the base address, for example for a missing /v1.",
    NO_STREAM: "The answer came whole instead of as a stream; let the server answer requests for streams.",
    "compressed": "The answer is compressed though plain bytes were asked for; switch compression off for this path.",
    "wrong_form": "The answer does not have the form of this dialect; check the dialect and the base address.",
    "cut_short": "The answer ended without its finish reason or end mark; send them, and check proxies that cut it.",
    "empty": "The answer has no text; check that the model answers ordinary questions, and within its longest answer.",
    "tool_call": "The answer ends with a call of a tool, which nobody answers; let the model answer without tools.",
    "filtered": "A content filter let nothing through; let the model answer ordinary questions.",
    "too_large": (
        "The answer has more than 100,000 events or 32 MiB, or 8 MiB in one piece; check what the server sends besides "
        "text."
    ),
    "event_too_large": (
        "An event of the answer is larger than 1 MiB, or has more than 50,000 objects and lists; leave out fields that"
        " are not the answer's text."
    ),
    "unshown_too_large": (
        "The answer brings more than 4 MiB that are not its text; leave out signatures, sources and repetitions."
    ),
    "gave_up": "The server gave the answer up; look into its log, and at the reason that it states.",
    "unknown_finish": (
        "The answer ends for a reason that the arena does not know, so it may be cut; state a usual one, such as stop."
    ),
    "slow_start": "No text came in time; keep the model loaded, or serve it on a faster machine.",
    "stalled": "The answer stopped for too long before its end mark; check that the server sends one, and its log.",
    "too_slow": "The text came too slowly to be read; serve the model on a faster machine.",
    "too_long": "The answer took too long as a whole; set a smaller longest answer, or use a faster machine.",
    "unknown_dialect": "The arena does not speak this dialect any more; choose another.",
    "internal": "The arena failed by itself; please try again, and tell its operator if that does not help.",
    UNPROVEN: (
        "The server answers, but it is not proven to be yours: store a key without which it refuses (401 or 403),"
        " or serve the challenge's text at the challenge's address."
    ),
    UNHEARD: "Time was over before all questions were answered; set a smaller longest answer, or use a faster machine.",
    ONE_PIECE: (
        "A long answer came in one piece, so readers see nothing until its end; switch off buffering in proxies."
    ),
    LOSES_TEXT: (
        "The stream loses text: a request without streaming got a much longer answer; check the server and its proxies."
    ),
    CUMULATIVE: (
        "Each piece of the answer repeats all text so far, so readers see it again and again; send only what is new."
    ),
    NO_REASON: (
        "The server never states a finish reason, so an answer that was cut counts as whole; let it state one, such as"
        " stop or length."
    ),
    ALL_CUT: "Every answer was cut at its maximum length; set a larger maximum, so that answers come to their end.",
    TOO_MUCH_TEXT: ("An answer was cut at 60,000 characters, the most that readers see; set a smaller longest answer."),
    REFUSING: "Every answer declines an ordinary question; check the system prompt, the wire model and the filters.",
    SAME_ANSWER: "Every question got the same short answer, “{answer}”; check what the server runs at this address.",
    NAMES_ITSELF: (
        "An answer names the model or its owner, and votes on such answers do not count; ask it by a system prompt not"
        " to introduce itself."
    ),
    BLIND: "The answer does not tell what an image shows; serve a model that sees, or say that it sees no images.",
    LOOKS_LIKE: "The server answers when it is asked in another dialect or at another base address; change to these.",
    UNOPENED: (
        "Reasoning comes as text, closed by {marks} (line {lines}) but never opened, so readers see nothing until"
        " then; let the server separate it, for example by vLLM's --reasoning-parser or llama.cpp's --jinja with"
        " --reasoning-format."
    ),
    THINK_TAGS: (
        "Reasoning comes as text between marks ({marks}; line {lines}) and is hidden; let the server separate it, for"
        " example by vLLM's --reasoning-parser or llama.cpp's --reasoning-format."
    ),
    CONTROL_MARKS: (
        "Control tokens were cut from an answer ({marks}; line {lines}), since they tell the model's family; serve it"
        " with its own chat template and stop tokens, and let the server skip special tokens."
    ),
    CALL_MARKS: (
        "A tool call was cut from an answer ({marks}; line {lines}); let the model answer without tools, or set the"
        " server's parser of tool calls."
    ),
    DOUBTFUL_MARKS: (
        "An answer shows what may be control tokens ({marks}; line {lines}), which could tell the model's family; check"
        " the server's chat template, its reasoning parser, and that it skips special tokens."
    ),
    LIST_FORM: "The answer is no list of models; check the base address, for example for a missing /v1.",
    LIST_LONG: "The list has {count} models and at most {most} are read; give the key access to fewer.",
    LIST_LARGE: (
        "The list is larger than 2 MiB, or has more than 50,000 objects and lists; give the key access to fewer models."
    ),
    LIST_EMPTY: "The list has no model that writes text; check what this key may use.",
    LIST_NAMELESS: "Some have no name of one printable line, so they are left out ({count}).",
    LIST_SILENT: "Some write no text, so they are left out: embeddings, images or speech ({count}).",
    LIST_DOUBTFUL: "Some state a context or a price that cannot be true; these figures stay empty ({count}).",
}

_PHASES: Final = {
    "connect": UNREACHABLE,
    "between tokens": "stalled",
    "rate": "too_slow",
    "total": "too_long",
}
_KINDS: Final = (
    (errors.Unreachable, UNREACHABLE),
    (errors.RateLimitedUpstream, "rate_limited"),
    (errors.ContextTooLong, "context_too_long"),
    (errors.UnknownDialect, "unknown_dialect"),
    (errors.RequestRefused, REFUSED),
    (errors.EndpointUnavailable, "server_error"),
    (errors.BadReply, "wrong_form"),
    (KeyLost, "key_lost"),
)


def code(error: Exception, *, has_key: bool) -> str:
    """The code of an error, for the owner too; `has_key` says that the call had a key."""
    if isinstance(error, errors.AddressRefused):
        return UNREACHABLE
    if isinstance(error, errors.TimedOut):
        return _PHASES.get(error.phase, "slow_start")
    if isinstance(error, errors.BadCredentials):
        return KEY_WRONG if has_key else KEY_MISSING
    if isinstance(error, errors.ProviderError) and error.fault in TITLES:
        return error.fault
    return next((word for kind, word in _KINDS if isinstance(error, kind)), "internal")


def of_fault(fault: str, url: str, *, has_key: bool) -> dict[str, str]:
    """The entry for a stored fault or kind of error of a call at this address."""
    kind = fault.partition(":")[0]
    if kind == errors.BadCredentials.kind:
        return problem(KEY_WRONG if has_key else KEY_MISSING)
    names = {error.kind: word for error, word in _KINDS if issubclass(error, errors.ProviderError)}
    names[errors.TimedOut.kind] = "slow_start"
    word = kind if "{" not in TITLES.get(kind, "{") else names.get(kind, "internal")
    return unreachable(url) if word == UNREACHABLE else problem(word)


def problem(word: str, **params: str) -> dict[str, str]:
    """An entry of the report: code, sentence, and the parameters of the sentence."""
    return {"code": word, "title": TITLES[word].format(**params), **params}


def unreachable(url: str) -> dict[str, str]:
    """The entry of a server that could not be reached; nobody has typed the address of a preset."""
    row = next((row for row in presets.PRESETS if row.base_url == url.rstrip("/")), None)
    return problem(NOT_STARTED if row.local else NO_WAY_OUT, host=urlsplit(url).netloc) if row else problem(UNREACHABLE)


def quoted(word: str, words: str) -> dict[str, str]:
    """An entry of the report with the server's own `words` if there are any, for the owner of the key only."""
    return problem(word, words=words) if words else problem(word)


def sentence(problem: Mapping[str, str]) -> str:
    """An entry of the report in one line, with the server's own words."""
    words = problem.get("words")
    return f"{problem['title']} The server says: “{words}”" if words else problem["title"]
