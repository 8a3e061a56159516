#!/usr/bin/env bash
# Drill of a restore: put the newest backup of a folder into a throw-away database and count its votes.
#   drill.sh FOLDER              needs PostgreSQL's programs for a *.dump, sqlite3 or Python for a *.db; touches nothing else
set -euo pipefail
folder=${1:?usage: drill.sh FOLDER}
here=$(cd "$(dirname "$0")" && pwd)
file=$(find "$folder" -maxdepth 1 -type f \( -name 'arena-*.dump' -o -name 'arena-*.db' \) | sort -t- -k2 | tail -n 1)
if [ -z "$file" ]; then
  echo "There is no backup in $folder." >&2
  exit 1
fi
# PostgreSQL refuses to run as root: then its programs run as `postgres`, or as the user in DRILL_USER.
as_user=()
if [[ $file == *.dump && $(id -u) == 0 ]]; then
  user=${DRILL_USER:-postgres}
  if ! id "$user" >/dev/null 2>&1; then
    echo "PostgreSQL does not run as root, and there is no user $user: name one in DRILL_USER, or run this as another user." >&2
    exit 1
  fi
  as_user=(setpriv "--reuid=$user" "--regid=$(id -g "$user")" --clear-groups)
fi
place=$(mktemp -d)
[ ${#as_user[@]} = 0 ] || chown "$user" "$place"
server=''
trap '[ -z "$server" ] || "${as_user[@]}" pg_ctl -D "$place/data" -m immediate -s stop; rm -rf "$place"' EXIT

case "$file" in
  *.dump)
    "${as_user[@]}" initdb -D "$place/data" -U arena --auth=trust >"$place/initdb.log" 2>&1 || { cat "$place/initdb.log" >&2; exit 1; }
    "${as_user[@]}" pg_ctl -D "$place/data" -s -w -l "$place/log" -o "-k $place -c listen_addresses='' -c fsync=off" start
    server=running
    createdb -h "$place" -U arena drill
    url="postgresql:///drill?host=$place&user=arena"
    ARENA_DATABASE_URL=$url bash "$here/restore.sh" "$file" >/dev/null
    votes=$(psql "$url" -Atc 'SELECT count(*) FROM votes')
    ;;
  *.db)
    ARENA_DATABASE_URL="sqlite:///$place/arena.db" bash "$here/restore.sh" "$file" >/dev/null
    votes=$(python3 -c "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM votes').fetchone())" "$place/arena.db")
    ;;
esac
echo "$(basename "$file") was restored and holds $votes votes."
echo "Not tried: whether you have master.keys (or ARENA_SECRET_KEY), which opens the models' stored keys." >&2
