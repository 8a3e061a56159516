#!/usr/bin/env bash
# Generate missing secrets in deploy/secrets/; existing ones are kept.
set -euo pipefail
cd "$(dirname "$0")"
umask 077
mkdir -p secrets

draw() { [ -e "secrets/$1" ] || printf '%s' "$2" >"secrets/$1"; }

draw postgres_password "$(openssl rand -hex 32)"
draw arena_secret "$(openssl rand -hex 32)"
draw arena_secret_key "$(openssl rand -base64 32)"
draw arena_operator_key "$(openssl rand -hex 32)"
draw arena_gradio_token "$(openssl rand -hex 32)"
draw redis_config "requirepass $(openssl rand -hex 32)"
draw arena_redis_url "redis://:$(cut -d ' ' -f 2 secrets/redis_config)@redis:6379/0"
draw arena_database_url "postgresql+asyncpg://arena:$(cat secrets/postgres_password)@postgres:5432/arena"
# The containers run as other users, so the files are readable; the folder itself is private.
chmod 0444 secrets/*
echo "Keep a copy of deploy/secrets/arena_secret_key apart from the backups: without it stored keys are lost."
