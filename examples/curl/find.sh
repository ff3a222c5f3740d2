#!/bin/sh
# Finds an artist and lists their events: sh find.sh ben klock
set -eu
: "${BASE:?the address of the service, such as http://127.0.0.1:4880}" "${KEY:?a key: cb_live_…}"
get() { curl -fsS -H "Authorization: Bearer $KEY" -G "$BASE/api/v1$1" ${2+--data-urlencode "$2"}; }

results=$(get /search "q=${*:-ben klock}")
slug=$(printf '%s' "$results" | sed -n 's/.*{"type":"artist","slug":"\([^"]*\)".*/\1/p' | head -n 1)
[ -n "$slug" ] || { echo "No artist has that name." >&2; exit 1; }
get "/artists/$slug"
echo
get "/artists/$slug/events" 'limit=5'
echo
