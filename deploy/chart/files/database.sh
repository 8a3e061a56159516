# shellcheck shell=bash
# For backup.sh and restore.sh: find the database, and keep its password out of the process list.

# Files made by these scripts are readable by their user only.
umask 077

# Find the address like the arena does: the variable, else its file among the secrets, else the file in ARENA_DATA.
named_database() {
  local file=${ARENA_SECRETS_DIR:+$ARENA_SECRETS_DIR/arena_database_url}
  if [ -n "${ARENA_DATABASE_URL:-}" ]; then
    echo "$ARENA_DATABASE_URL"
  elif [ -n "$file" ] && [ -s "$file" ]; then
    cat "$file"
  elif [ -n "${ARENA_DATA:-}" ]; then
    echo "sqlite:///$ARENA_DATA/arena.db"
  else
    echo "No database is named: set ARENA_DATABASE_URL, ARENA_SECRETS_DIR or ARENA_DATA." >&2
    echo "With compose: docker compose -f deploy/compose.yaml run --rm backup" >&2
    return 1
  fi
}

# Set `plain` to the address for libpq without the password, which goes into `passfile` because arguments are visible to
# all users; the caller removes that file.
log_in() {
  local url=${1/+asyncpg/} user
  passfile=$(mktemp)
  plain=${url/[?&]pooler=transaction/}
  user=${plain#*://}
  user=${user%%/*}
  case "$user" in
    *:*@*) ;;
    *) return ;;
  esac
  user=${user%@*}
  printf '%b' "$(sed 's/\\/\\\\/g; s/%/\\x/g' <<<"${user#*:}")" | sed 's/[\\:]/\\&/g; s/^/*:*:*:*:/' >"$passfile"
  plain=${plain/"$user"@/"${user%%:*}"@}
  export PGPASSFILE=$passfile
}
