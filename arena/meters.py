"""What is counted and timed while the arena runs, under the names that Prometheus reads.

Nothing here names a prompt, an answer, a voter or an address; `endpoint` is an endpoint's number.
"""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

REGISTRY: Final = CollectorRegistry()

_SECONDS: Final = (0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 8, 13, 20, 30)
_SHORT: Final = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5)

BATTLES: Final = Counter("arena_battles", "Battles begun.", registry=REGISTRY)
CHATS: Final = Counter("arena_chats", "Chats with chosen models begun.", registry=REGISTRY)
TURNS: Final = Counter("arena_turns", "Turns ended, by how.", ["end"], registry=REGISTRY)
RUNNING: Final = Gauge("arena_running_turns", "Turns being answered now.", registry=REGISTRY)
READERS: Final = Gauge("arena_open_streams", "Readers that follow a battle now.", registry=REGISTRY)
VOTES: Final = Counter("arena_votes", "Votes stored.", ["outcome", "counted"], registry=REGISTRY)
ANSWERS: Final = Counter(
    "arena_answers", "Answers of endpoints, by error kind or `ok`.", ["endpoint", "result"], registry=REGISTRY
)
FIRST_TOKEN: Final = Histogram(
    "arena_first_token_seconds", "From the call to the first text of a side.", buckets=_SECONDS, registry=REGISTRY
)
FRAME_LATE: Final = Histogram(
    "arena_frame_delay_seconds", "How much later than due a frame was shown.", buckets=_SHORT, registry=REGISTRY
)
REQUESTS: Final = Histogram(
    "arena_request_seconds",
    "Requests but for streams, from first byte in to last byte out.",
    ["method", "status"],
    buckets=_SHORT,
    registry=REGISTRY,
)
WRITES: Final = Histogram(
    "arena_write_seconds", "From asking for a write to its commit.", buckets=_SHORT, registry=REGISTRY
)
PAGES: Final = Counter("arena_pages_built", "Pages of published numbers built from a snapshot.", registry=REGISTRY)
WAITING: Final = Gauge(
    "arena_database_waiting", "Work that waits for the writer or for a connection to the database.", registry=REGISTRY
)
CONNECTIONS: Final = Gauge(
    "arena_database_connections",
    "Connections to the database: `used`, and `all` there may be.",
    ["state"],
    registry=REGISTRY,
)
PLACES: Final = Gauge(
    "arena_places", "Places of running turns: `taken` by this process, and `all` of all.", ["state"], registry=REGISTRY
)
CALLS: Final = Gauge("arena_endpoint_calls", "Calls of an endpoint that run now.", ["endpoint"], registry=REGISTRY)
OPEN: Final = Gauge(
    "arena_endpoint_open", "1 while an endpoint is left alone because it failed.", ["endpoint"], registry=REGISTRY
)
SNAPSHOT: Final = Gauge("arena_snapshot_unixtime", "When the newest leaderboard was computed.", registry=REGISTRY)

NAMES: Final = frozenset(
    f"{metric.name}_total" if metric.type == "counter" else metric.name for metric in REGISTRY.collect()
)
"""Every name under which a metric can be asked for, without the parts of a histogram."""
