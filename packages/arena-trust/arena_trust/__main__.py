"""The command `arena-verify`: `arena verify` with numpy, numba and cryptography alone."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from time import monotonic

from arena_trust.verifier import seen_checkpoints
from arena_trust.verifier.verification import VerificationInput, verify

WIDTH = 30
UNREAD = 3
"""Exit status where a file could not be read, or a board is not yet in the log, and nothing else is wrong."""
INTERRUPTED = 130
"""Exit status after Ctrl-C, as in shells."""


def main(words: list[str] | None = None) -> None:
    """Verify, print the report, and exit with 0 only if nothing is wrong, 3 where a file cannot be read."""
    parser = ArgumentParser("arena-verify", description="Verify an arena's log, export and leaderboard.")
    parser.add_argument("--log", required=True, help="address or folder of the transparency log")
    parser.add_argument("--export", type=Path, help="export of the votes, JSON lines, may be gzipped")
    parser.add_argument("--board", type=Path, help="leaderboard as saved from /api/v1/leaderboard")
    parser.add_argument("--key", help="verifier key of the log; else the one seen before, or the one that it shows")
    parser.add_argument(
        "--seen", type=Path, default=seen_checkpoints.default_file(), help="file of the logs that were seen before"
    )
    parser.add_argument(
        "--audit", type=Path, nargs="+", action="extend", default=[], help="audit files of all weeks up to one"
    )
    parser.add_argument(
        "--table", type=Path, nargs="+", action="extend", default=[], help="from /api/v1/leaderboard/method or /pairs"
    )
    options = parser.parse_args(words)
    lists = tuple(options.audit), tuple(options.table)
    request = VerificationInput(options.log, options.export, options.board, options.key, options.seen, *lists)
    try:
        sys.exit(run(request))
    except KeyboardInterrupt:
        sys.stderr.write("arena-verify: interrupted; nothing is kept, and the same command can be run again.\n")
        sys.exit(INTERRUPTED)


def run(request: VerificationInput) -> int:
    """Verify and print the report; returns the exit status."""
    report = verify(request, ProgressLine().draw if sys.stderr.isatty() else ignore_progress)
    sys.stdout.write(f"{report}\n")
    if report.faults:
        return 1
    return UNREAD if report.unread else 0


class ProgressLine:
    """Progress bar on one line of the terminal, with count, total and rate."""

    def __init__(self) -> None:
        self._start = monotonic()

    def draw(self, task: str, count: int, total: int) -> None:
        """Draw the bar; the next output overwrites it once the task is complete."""
        now, width = monotonic(), WIDTH * count // max(total, 1)
        rate = count / max(now - self._start, 1e-3)
        line = f"{task:<22} [{'#' * width:<{WIDTH}}] {count:,} of {total:,}, {rate:,.0f}/s"
        sys.stderr.write(f"\r{line}\x1b[K" + "\r" * (count >= total))
        sys.stderr.flush()
        if count >= total:
            self._start = now


def ignore_progress(_task: str, _count: int, _total: int) -> None:
    """No output, where stderr is no terminal."""


if __name__ == "__main__":
    main()
