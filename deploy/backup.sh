#!/usr/bin/env bash
# One consistent copy of the database, while the arena runs.
#   backup.sh FOLDER             what ARENA_DATABASE_URL names, else the SQLite file in ARENA_DATA
# A copy loses what came after it. For less than that, archive PostgreSQL's WAL (archive_command, pg_basebackup).
set -euo pipefail
folder=${1:?usage: backup.sh FOLDER}
mkdir -p "$folder"
stamp=$(date -u +%Y%m%dT%H%M%SZ)

case "${ARENA_DATABASE_URL:-}" in
  postgres*)
    file="$folder/arena-$stamp.dump"
    pg_dump --format=custom --no-owner --file "$file.part" "${ARENA_DATABASE_URL/+asyncpg/}"
    ;;
  *)
    file="$folder/arena-$stamp.db"
    python3 - "${ARENA_DATA:-arena-data}/arena.db" "$file.part" <<'PYTHON'
import sqlite3
import sys
from pathlib import Path

source = sqlite3.connect(f"{Path(sys.argv[1]).resolve().as_uri()}?mode=ro", uri=True)
copy = sqlite3.connect(sys.argv[2])
source.backup(copy)
(verdict,) = copy.execute("PRAGMA integrity_check").fetchone()
copy.close()
if verdict != "ok":
    sys.exit(f"the copy is damaged: {verdict}")
PYTHON
    ;;
esac
mv "$file.part" "$file"
sync "$file"
echo "$file"
