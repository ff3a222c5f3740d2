#!/bin/sh
# Asks twice; the second time only for what changed. A 304 costs nothing of the month.
set -eu
: "${BASE:?the address of the service, such as http://127.0.0.1:4880}" "${KEY:?a key: cb_live_…}"
url="$BASE/api/v1/genres?limit=100"

etag=$(curl -fsS -o /dev/null -D - -H "Authorization: Bearer $KEY" "$url" | tr -d '\r' | sed -n 's/^[Ee][Tt]ag: //p')
curl -fsS -o /dev/null -w '%{http_code}\n' -H "Authorization: Bearer $KEY" -H "If-None-Match: $etag" "$url"
