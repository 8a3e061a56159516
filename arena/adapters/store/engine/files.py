"""Permissions of data files: only the arena's user can read them, regardless of umask and earlier mode."""

from __future__ import annotations

import errno
import logging
import os
import stat
from pathlib import Path
from typing import Final

from sqlalchemy import make_url

log = logging.getLogger(__name__)

OTHERS: Final = 0o077
"""Permission bits of group and others."""


def require_writable(folder: Path) -> None:
    """Check that this user may create files in a folder.

    Raises:
        PermissionError: They may not.
    """
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))


def restrict_folder(folder: Path) -> None:
    """Restrict a folder and its entries to their user; subfolders then protect their contents."""
    for path in (folder, *folder.iterdir()):
        restrict(path)


def create_database_file(url: str) -> None:
    """Create the file of a SQLite database unless it exists; SQLite's further files get the same mode."""
    name = make_url(url).database or ":memory:"
    if name.startswith((":memory:", "file:")):
        return
    os.close(os.open(name, os.O_CREAT | os.O_RDWR, 0o600))
    for end in ("", "-wal", "-shm", "-journal"):
        restrict(Path(name + end))


def restrict(path: Path) -> None:
    """Remove the permissions of group and others from a file or folder; symbolic links are left alone."""
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode) or not mode & OTHERS:
            return
        path.chmod(stat.S_IMODE(mode) & ~OTHERS)
    except FileNotFoundError:
        # Another process has deleted a temporary file.
        return
    except OSError as error:
        log.warning("%s is open to others, and cannot be closed: %s", path, error.strerror)
    else:
        log.info("%s was open to others (%o); it is for this user alone now", path, stat.S_IMODE(mode))
