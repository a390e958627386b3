#!/usr/bin/env bash
# Starts the program ($1) twice on free ports. Both processes must see and hear each other.
set -euo pipefail
program=$1
folder=$(mktemp -d)
alice=""
bob=""
finish() {
  for process in $alice $bob; do kill "$process" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap finish EXIT

: >"$folder/alice"  # it is read at once
timeout 60 "$program" Alice 0 >"$folder/alice" &
alice=$!
address=""
for _ in $(seq 200); do
  address=$(sed -n 's/^Alice listens on //p' "$folder/alice")
  [ -n "$address" ] && break
  sleep 0.1
done
[ -n "$address" ] || { echo "Alice did not start"; exit 1; }

timeout 60 "$program" Bob 0 "$address" >"$folder/bob" &
bob=$!
passed=true
wait "$alice" || passed=false
wait "$bob" || passed=false
alice=""
bob=""
cat "$folder/alice" "$folder/bob"

expect() { grep -q "$2" "$folder/$1" || { echo "missing in the output of $1: $2"; passed=false; }; }
expect alice "^Alice sees a tank"
expect alice "^Alice heard: hello from Bob"
expect bob "^Bob sees a tank"
expect bob "^Bob heard: hello from Alice"

# Invalid arguments give one line of error text and exit code 2.
refuse() {
  local status=0
  "$program" "${@:2}" >/dev/null 2>"$folder/error" || status=$?
  if [ "$status" != 2 ] || [ "$(wc -l <"$folder/error")" != 1 ] || ! grep -q "$1" "$folder/error"; then
    echo "expected exit code 2 and a line with '$1', got $status: $(cat "$folder/error")"
    passed=false
  fi
}
refuse "usage" Alice
refuse "bad port" Alice 70000
refuse "bad address 'nowhere'" Alice 0 nowhere
$passed
