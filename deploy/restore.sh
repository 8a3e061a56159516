#!/usr/bin/env bash
# Put a copy of backup.sh back. Stop the arena first; a database that already holds an arena is not overwritten.
#   restore.sh FILE
set -euo pipefail
file=${1:?usage: restore.sh FILE}

case "${ARENA_DATABASE_URL:-}" in
  postgres*)
    url=${ARENA_DATABASE_URL/+asyncpg/}
    if [ "$(psql "$url" -Atc "SELECT to_regclass('votes') IS NOT NULL")" = t ]; then
      echo "This database holds an arena already; name an empty one." >&2
      exit 1
    fi
    pg_restore --exit-on-error --single-transaction --no-owner --dbname "$url" "$file"
    ;;
  *)
    target="${ARENA_DATA:-arena-data}/arena.db"
    if [ -e "$target" ]; then
      echo "$target exists already; move it away first." >&2
      exit 1
    fi
    mkdir -p "$(dirname "$target")"
    cp "$file" "$target.part"
    sync "$target.part"
    mv "$target.part" "$target"
    ;;
esac
echo "Restored. Start the arena; it applies migrations that are missing."
