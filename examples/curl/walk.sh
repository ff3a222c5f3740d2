#!/bin/sh
# Walks a list to its end, a page at a time, and prints one slug a line: sh walk.sh '/cities?country=NL'
set -eu
: "${BASE:?the address of the service, such as http://127.0.0.1:4880}" "${KEY:?a key: cb_live_…}"
path=${1:-/cities?country=NL}
case $path in *\?*) joint='&' ;; *) joint='?' ;; esac

cursor=
while :; do
  page=$(curl -fsS -H "Authorization: Bearer $KEY" "$BASE/api/v1$path${joint}limit=10&cursor=$cursor")
  # Fields stand in a fixed order: id, then slug, begin each entry.
  printf '%s\n' "$page" | grep -o '"id":"[a-z]*_[0-9a-z]*","slug":"[^"]*"' | sed 's/.*"slug":"//; s/"$//'
  cursor=$(printf '%s' "$page" | sed -n 's/.*"next_cursor":"\([^"]*\)".*/\1/p')
  [ -n "$cursor" ] || break
done
