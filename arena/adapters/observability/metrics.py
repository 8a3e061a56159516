"""Prometheus metrics of a running arena.

No metric or label contains a prompt, an answer, a voter or an address; `endpoint` is an endpoint's number.
"""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

REGISTRY: Final = CollectorRegistry()

_SECONDS: Final = (0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 8, 13, 20, 30)
_SHORT_BUCKETS: Final = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5)

BATTLES: Final = Counter("arena_battles", "Battles started.", registry=REGISTRY)
CHATS: Final = Counter("arena_chats", "Chats with chosen models started.", registry=REGISTRY)
TURNS: Final = Counter("arena_turns", "Turns ended, by result.", ["end"], registry=REGISTRY)
RUNNING: Final = Gauge("arena_running_turns", "Turns that are running.", registry=REGISTRY)
READERS: Final = Gauge("arena_open_streams", "Open event streams of battles and chats.", registry=REGISTRY)
VOTES: Final = Counter("arena_votes", "Votes stored.", ["outcome", "counted"], registry=REGISTRY)
ANSWERS: Final = Counter(
    "arena_answers", "Answers of endpoints, by error kind or `ok`.", ["endpoint", "result"], registry=REGISTRY
)
FIRST_TOKEN: Final = Histogram(
    "arena_first_token_seconds", "Time from the call to the first text of a side.", buckets=_SECONDS, registry=REGISTRY
)
FRAME_LATE: Final = Histogram(
    "arena_frame_delay_seconds", "Delay of frames behind their schedule.", buckets=_SHORT_BUCKETS, registry=REGISTRY
)
REQUESTS: Final = Histogram(
    "arena_request_seconds",
    "Duration of requests, without streams, from first byte in to last byte out.",
    ["method", "status"],
    buckets=_SHORT_BUCKETS,
    registry=REGISTRY,
)
WRITES: Final = Histogram(
    "arena_write_seconds", "Time from the request for a write to its commit.", buckets=_SHORT_BUCKETS, registry=REGISTRY
)
PAGES: Final = Counter("arena_pages_built", "Documents of published numbers built from a snapshot.", registry=REGISTRY)
WAITING: Final = Gauge(
    "arena_database_waiting", "Operations waiting for the writer or for a database connection.", registry=REGISTRY
)
CONNECTIONS: Final = Gauge(
    "arena_database_connections",
    "Database connections: `used`, and `all` that are allowed.",
    ["state"],
    registry=REGISTRY,
)
LOG_STOPPED: Final = Gauge("arena_log_stopped", "1 while the transparency log cannot be continued.", registry=REGISTRY)
LOG_WAITING: Final = Gauge(
    "arena_log_waiting_seconds",
    "Age of the oldest promised vote that is not in the signed transparency log.",
    registry=REGISTRY,
)
LOG_UNLOGGED: Final = Gauge(
    "arena_log_unlogged_votes",
    "Votes without a leaf in the transparency log of which it does not say so; nothing is signed meanwhile.",
    registry=REGISTRY,
)
PLACES: Final = Gauge(
    "arena_places",
    "Capacity for running turns: `taken` by this process, and `all` of all processes.",
    ["state"],
    registry=REGISTRY,
)
CALLS: Final = Gauge("arena_endpoint_calls", "Running calls of an endpoint.", ["endpoint", "kind"], registry=REGISTRY)
OPEN: Final = Gauge(
    "arena_endpoint_open",
    "1 while the circuit breaker of an endpoint is open.",
    ["endpoint", "kind"],
    registry=REGISTRY,
)
NEIGHBOURHOOD: Final = Gauge(
    "arena_neighbourhood_share",
    "Share of the day's votes from the busiest neighbourhood of addresses, while it has the majority.",
    registry=REGISTRY,
)
SNAPSHOT: Final = Gauge("arena_snapshot_unixtime", "Time of the newest leaderboard.", registry=REGISTRY)
LOOP_PASSED: Final = Gauge(
    "arena_loop_passed_unixtime",
    "Time of the last pass of a background loop that succeeded.",
    ["loop"],
    registry=REGISTRY,
)
LOOP_SECONDS: Final = Gauge(
    "arena_loop_seconds", "Duration of the last pass of a background loop that succeeded.", ["loop"], registry=REGISTRY
)
LOOP_PERIOD: Final = Gauge(
    "arena_loop_period_seconds", "Seconds between two passes of a background loop.", ["loop"], registry=REGISTRY
)
LOOP_LATE_AFTER: Final = Gauge(
    "arena_loop_late_after_seconds",
    "Seconds without a pass that succeeded after which a background loop is late.",
    ["loop"],
    registry=REGISTRY,
)
LOOP_FAILURES: Final = Counter(
    "arena_loop_failures", "Passes of a background loop that failed.", ["loop"], registry=REGISTRY
)
BOARD_DELAY: Final = Gauge(
    "arena_board_delay_seconds", "Age of the oldest vote that the newest leaderboard lacks.", registry=REGISTRY
)
