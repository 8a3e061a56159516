#!/usr/bin/env bash
# Make a consistent backup of the database while the arena runs, readable by its user only, like older ones beside it.
#   backup.sh FOLDER             of ARENA_DATABASE_URL, or its file in ARENA_SECRETS_DIR, or the SQLite file in ARENA_DATA
# Later changes are not in it; to lose less, archive PostgreSQL's WAL (archive_command, pg_basebackup).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=database.sh
. "$(dirname "$0")/database.sh"
folder=${1:?usage: backup.sh FOLDER}
url=$(named_database)
mkdir -p "$folder"
find "$folder" -maxdepth 1 -type f -name 'arena-*' -exec chmod 600 {} +
stamp=$(date -u +%Y%m%dT%H%M%SZ)
passfile='' file=''
trap 'rm -f "$passfile" "${file:+$file.part}"' EXIT

case "$url" in
  postgres*)
    file="$folder/arena-$stamp.dump"
    log_in "$url"
    pg_dump --format=custom --no-owner --file "$file.part" "$plain"
    # Verify that the backup can be read to its end.
    pg_restore --file /dev/null "$file.part"
    ;;
  sqlite:///*)
    file="$folder/arena-$stamp.db"
    python3 - "${url#sqlite:///}" "$file.part" <<'PYTHON'
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
  *)
    echo "The address names neither PostgreSQL nor SQLite; nothing was copied." >&2
    exit 1
    ;;
esac
mv "$file.part" "$file"
sync "$file"
echo "$file"
echo "Not in it, to be kept apart: master.keys in ARENA_DATA (or ARENA_SECRET_KEY), which opens the models' stored keys." >&2
