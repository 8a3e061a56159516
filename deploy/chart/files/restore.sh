#!/usr/bin/env bash
# Restore a backup made by backup.sh. Stop the arena first; a database that already has data is not overwritten.
#   restore.sh FILE              into the database that backup.sh would copy
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=database.sh
. "$(dirname "$0")/database.sh"
file=${1:?usage: restore.sh FILE}
url=$(named_database)
passfile=''

case "$url" in
  postgres*)
    trap 'rm -f "$passfile"' EXIT
    log_in "$url"
    if [ "$(psql "$plain" -Atc "SELECT to_regclass('votes') IS NOT NULL")" = t ]; then
      echo "This database holds an arena already; name an empty one." >&2
      exit 1
    fi
    pg_restore --exit-on-error --single-transaction --no-owner --dbname "$plain" "$file"
    ;;
  sqlite:///*)
    target=${url#sqlite:///}
    if [ -e "$target" ]; then
      echo "$target exists already; move it away first." >&2
      exit 1
    fi
    mkdir -p "$(dirname "$target")"
    cp "$file" "$target.part"
    chmod 600 "$target.part"
    sync "$target.part"
    mv "$target.part" "$target"
    ;;
  *)
    echo "The address names neither PostgreSQL nor SQLite; nothing was put back." >&2
    exit 1
    ;;
esac
echo "Restored. Start the arena; it applies migrations that are missing."
