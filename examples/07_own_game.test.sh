#!/usr/bin/env bash
# Runs the program ($1) as a simulation, and as two processes over UDP. In both, all bots chat and shoot.
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
passed=true
expect() { grep -q "$2" "$folder/$1" || { echo "missing in the output of $1: $2"; passed=false; }; }

timeout 60 "$program" swarm 5 >"$folder/swarm" || { echo "the simulation failed"; passed=false; }
expect swarm "^[1-4] owns the crate with [1-9]"
for bot in 0 1 2 3 4; do
  expect swarm "^$bot hit three times"
  expect swarm "^$(((bot + 1) % 5)) heard: hello from $bot"
done

: >"$folder/alice"  # it is read at once
timeout 60 "$program" Alice 0 >"$folder/alice" &
alice=$!
port=""
for _ in $(seq 200); do
  port=$(sed -n 's/^Alice listens on port //p' "$folder/alice")
  [ -n "$port" ] && break
  sleep 0.1
done
[ -n "$port" ] || { echo "Alice did not start"; exit 1; }
timeout 60 "$program" Bob 0 "127.0.0.1:$port" >"$folder/bob" &
bob=$!
wait "$alice" || passed=false
wait "$bob" || passed=false
alice=""
bob=""
cat "$folder/alice" "$folder/bob"
expect alice "^Alice heard: hello from Bob"
expect alice "^Alice hit three times"
expect bob "^Bob heard: hello from Alice"
expect bob "^Bob hit three times"
$passed
