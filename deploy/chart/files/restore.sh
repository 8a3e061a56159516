#!/usr/bin/env bash
# Restore a backup made by backup.sh. Stop the arena first; a database that already has data is not overwritten.
#   restore.sh FILE              into the database that backup.sh would copy
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=database.sh
. "$(dirname "$0")/database.sh"
file=${1:?usage: restore.sh FILE}
url=$(named_database)
passfile=''
# The newest schema that this version knows: each migration raises it, and a test holds it to them.
known=r0021

refuse() {
  echo "$1" >&2
  exit 1
}

# Refuse what a newer version of the arena has made: this one could not start on it.
refuse_newer() {
  if [[ "$1" > "$known" ]]; then
    refuse "$file is of a newer version of the arena (schema $1, and this one knows $known); nothing was put back."
  fi
}

case "$url" in
  postgres*)
    trap 'rm -f "$passfile"' EXIT
    log_in "$url"
    if [ "$(psql "$plain" -Atc "SELECT to_regclass('votes') IS NOT NULL")" = t ]; then
      refuse "This database holds an arena already; name an empty one."
    fi
    if ! pg_restore --list "$file" 2>/dev/null | grep ' TABLE DATA .* votes ' >/dev/null; then
      refuse "$file is no backup of an arena that this pg_restore can read; nothing was put back."
    fi
    refuse_newer "$(pg_restore --data-only --table alembic_version --file - "$file" | sed -n '/^COPY .*alembic_version/{n;p}')"
    pg_restore --exit-on-error --single-transaction --no-owner --dbname "$plain" "$file"
    ;;
  sqlite:///*)
    target=${url#sqlite:///}
    if [ -e "$target" ]; then
      refuse "$target exists already; move it away first."
    fi
    if [ "$(head -c 15 "$file" | tr -d '\0')" != "SQLite format 3" ]; then
      refuse "$file is no backup of an arena on SQLite; nothing was put back."
    fi
    refuse_newer "$(python3 - "$file" <<'PYTHON'
import sqlite3
import sys
from contextlib import suppress
from pathlib import Path

with suppress(sqlite3.Error):
    backup = sqlite3.connect(f"{Path(sys.argv[1]).resolve().as_uri()}?immutable=1", uri=True)
    print(*backup.execute("SELECT version_num FROM alembic_version").fetchone())
PYTHON
)"
    mkdir -p "$(dirname "$target")"
    cp "$file" "$target.part"
    chmod 600 "$target.part"
    sync "$target.part"
    mv "$target.part" "$target"
    ;;
  *)
    refuse "The address names neither PostgreSQL nor SQLite; nothing was put back."
    ;;
esac
echo "Restored. Put back master.keys (or ARENA_SECRET_KEY) too: it opens the models' stored keys and is in no backup."
echo "Start the arena; it applies migrations that are missing."
