"""The command `arena-verify`, the same as `arena verify`: it needs numpy, numba and cryptography alone."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path

from arena_trust.verifier import seen_checkpoints
from arena_trust.verifier.verification import VerificationInput, verify

WIDTH = 30


def main(words: list[str] | None = None) -> None:
    """Verify, say what was found, and exit with 0 only if nothing is wrong."""
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
    asked = parser.parse_args(words)
    sys.exit(run(VerificationInput(asked.log, asked.export, asked.board, asked.key, asked.seen, tuple(asked.audit))))


def run(question: VerificationInput) -> int:
    """Verify and print the findings; returns the exit status."""
    findings = verify(question, bar if sys.stderr.isatty() else quiet)
    sys.stdout.write(f"{findings}\n")
    return 0 if findings.holds else 1


def bar(what: str, done: int, whole: int) -> None:
    """Draw progress on one line of the terminal."""
    filled = WIDTH * done // max(whole, 1)
    sys.stderr.write(f"\r{what:<22} [{'#' * filled:<{WIDTH}}] {done:,} of {whole:,}\x1b[K" + "\r" * (done >= whole))
    sys.stderr.flush()


def quiet(_what: str, _done: int, _whole: int) -> None:
    """Say nothing, for what is written to a file."""


if __name__ == "__main__":
    main()
