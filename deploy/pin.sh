#!/usr/bin/env bash
# Write the current digests of the images' tags to deploy/.env, without which compose.yaml starts nothing.
#   pin.sh                       run it again to update, then rebuild and restart
set -euo pipefail
cd "$(dirname "$0")"
[ -e .env ] || { echo "First: cp deploy/.env.example deploy/.env" >&2 && exit 1; }

# `name:tag${NAME_DIGEST…` as `NAME_DIGEST name:tag`, each once.
images=$(sed -nE 's/^ *(image:|FROM) ([^$ ]+)\$\{([A-Z]+_DIGEST).*/\3 \2/p' compose.yaml Dockerfile | sort -u)
lines=
while read -r name image; do
  digest=$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$image" </dev/null)
  [[ $digest =~ ^sha256:[0-9a-f]{64}$ ]] || { echo "$image has no digest: $digest" >&2 && exit 1; }
  lines+="$name=@$digest"$'\n'
  echo "$image@$digest"
done <<<"$images"
kept=$(grep -vE '^[A-Z]+_DIGEST=' .env || true)
printf '%s\n%s' "$kept" "$lines" >.env
