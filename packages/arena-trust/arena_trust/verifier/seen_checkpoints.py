"""A file of checkpoints that this machine has seen, to detect a log that is not append-only."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from pathlib import Path

from arena_trust.amounts import amount
from arena_trust.tlog.checkpoints import Checkpoint
from arena_trust.tlog.hashing import Misplaced
from arena_trust.tlog.keys import VerifierKey
from arena_trust.tlog.leaves import JsonObject
from arena_trust.tlog.proofs import tree_root
from arena_trust.tlog.tiles import subtrees
from arena_trust.verifier.sources import Read
from arena_trust.verifier.verification_report import VerificationReport


def default_file() -> Path:
    """The file for this user."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "arena" / "logs-seen.json"


def remembered_key(file: Path, place: str) -> str | None:
    """The last seen verifier key of the log at `place`."""
    return _read_document(file).get("places", {}).get(place)


def check(file: Path, read_file: Read, checkpoint: Checkpoint, findings: VerificationReport) -> None:
    """Report if the log does not extend the checkpoint that was seen before."""
    entry = _read_document(file).get("logs", {}).get(checkpoint.origin)
    if entry is None:
        findings.unchecked.append("this machine sees the log for the first time")
        return
    size, root = entry["size"], entry["root"]
    if size > checkpoint.size:
        findings.fault(
            f"the log has {amount(checkpoint.size, 'leaf', 'leaves')}, and had {size} when this machine saw it before"
        )
    elif (
        size
        and b64encode(tree_root(subtrees(lambda tile: read_file(tile.path), checkpoint.size), size)).decode() != root
    ):
        subject = amount(size, "leaf", "leaves")
        findings.fault(f"the first {subject} of the log are not those that this machine saw before")
    else:
        findings.confirmed.append(
            f"the log goes on from the {amount(size, 'leaf', 'leaves')} that this machine saw before"
        )


def remember(file: Path, place: str, key: VerifierKey, checkpoint: Checkpoint) -> None:
    """Store a checkpoint and its key, by an atomic replacement of the file."""
    document = _read_document(file)
    document.setdefault("places", {})[place] = str(key)
    logs = document.setdefault("logs", {})
    logs[checkpoint.origin] = {"size": checkpoint.size, "root": b64encode(checkpoint.root).decode()}
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{os.getpid()}")
    part.write_text(json.dumps(document, indent=1), "utf-8")
    part.replace(file)


def _read_document(file: Path) -> JsonObject:
    try:
        return json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        raise Misplaced(f"{file}, which remembers the logs that were seen, cannot be read.") from None
