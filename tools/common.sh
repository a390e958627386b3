# Shared by run, test, .ci/run and the tools. To be sourced; $root is the project's folder.
# Everything here writes to standard error: standard output belongs to the program that is run.

jobs=${FRAY_JOBS:-$(nproc)}
say() { printf '%s\n' "$*" >&2; }

# Reads a build's output; prints progress once it has taken longer than two seconds.
show_progress() {
  local label=$1 line start=$SECONDS last=-30 shown=
  while IFS= read -r line; do
    [[ $line =~ ^\[[0-9]+/[0-9]+\] ]] || continue
    (( SECONDS - start >= 2 )) || continue
    if [ -t 2 ]; then
      printf '\r\033[K%s %s' "$label" "${BASH_REMATCH[0]}" >&2
      shown=1
    elif (( SECONDS - last >= 30 )); then
      say "$label ${BASH_REMATCH[0]}"
      last=$SECONDS
    fi
  done
  [ -z "$shown" ] || printf '\r\033[K' >&2
}

# build PRESET TARGET...: configures where needed, then builds. Silent when it works and is quick; the end
# of the log when it does not.
build() {
  local preset=$1 folder="$root/build/$1" log="$root/build/$1.log"
  shift
  mkdir -p "$root/build"
  (
    flock 9  # two commands at once must not build in the same folder
    if [ ! -e "$folder/build.ninja" ] || [ "$root/CMakePresets.json" -nt "$folder/build.ninja" ]; then
      if ! (cd "$root" && cmake --preset "$preset") >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        say "Configuring '$preset' failed; all of it: build/$preset.log"
        return 1
      fi
      touch "$folder/build.ninja"  # CMake leaves an unchanged file alone, the comparison above needs its age
    fi
    set -o pipefail
    if ! cmake --build "$folder" -j "$jobs" --target "$@" 2>&1 | tee "$log" | show_progress "Building ($preset)"; then
      grep -vE '^\[[0-9]+/[0-9]+\]' "$log" | tail -n 60 >&2
      say "Building '$preset' failed; all of it: build/$preset.log"
      return 1
    fi
  ) 9>"$root/build/$preset.lock"
}

# Sanitizers name files and lines through addr2line, which comes with every compiler.
name_lines_in_reports() {
  local option
  option=external_symbolizer_path=$(command -v addr2line || true)
  export ASAN_OPTIONS=$option TSAN_OPTIONS=$option UBSAN_OPTIONS=print_stacktrace=1:$option
}

# run_ctest PRESET CTEST-ARGUMENT...: adds to $passed, $failed and $skipped.
passed=0 failed=0 skipped=0
run_ctest() {
  local preset=$1 folder="$root/build/$1" report="$root/build/$1/ctest.xml" header ran bad left_out
  local in_fixed_layout=()
  shift
  name_lines_in_reports
  # The thread sanitizer does not know the address layouts of newer kernels.
  if [ "$preset" = tsan ] && setarch -R true 2>/dev/null; then in_fixed_layout=(setarch -R); fi
  rm -f "$report"
  local code=0
  "${in_fixed_layout[@]}" ctest --test-dir "$folder" -j 2 --output-on-failure --no-tests=error \
    --progress --output-junit "$report" "$@" >&2 || code=$?
  header=$(grep -m 1 -A 8 '<testsuite ' "$report" 2>/dev/null | tr '\n\t' '  ')
  ran=$(sed -n 's/.* tests="\([0-9]*\)".*/\1/p' <<<"$header")
  bad=$(sed -n 's/.* failures="\([0-9]*\)".*/\1/p' <<<"$header")
  left_out=$(sed -n 's/.* skipped="\([0-9]*\)".*/\1/p' <<<"$header")
  ran=${ran:-0} bad=${bad:-0} left_out=${left_out:-0}
  # A failure that ctest did not count (no test found, a crash of its own) is one all the same.
  if [ "$code" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1 ran=$((ran + 1)); fi
  passed=$((passed + ran - bad - left_out)) failed=$((failed + bad)) skipped=$((skipped + left_out))
}
