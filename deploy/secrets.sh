#!/usr/bin/env bash
# Draw every secret that is not there yet into deploy/secrets/; what is there stays as it is.
set -euo pipefail
cd "$(dirname "$0")"
umask 077
mkdir -p secrets

draw() { [ -e "secrets/$1" ] || printf '%s' "$2" >"secrets/$1"; }

draw postgres_password "$(openssl rand -hex 32)"
draw arena_secret "$(openssl rand -hex 32)"
draw arena_secret_key "$(openssl rand -base64 32)"
draw arena_operator_key "$(openssl rand -hex 32)"
draw arena_database_url "postgresql+asyncpg://arena:$(cat secrets/postgres_password)@postgres:5432/arena"
# The containers' users are not yours; the folder itself stays closed.
chmod 0444 secrets/*
echo "Keep a copy of deploy/secrets/arena_secret_key apart from the backups: without it stored keys are lost."
