# Runs the gate with what the action was given in the environment, and says what came out: a summary of the job, annotations,
# the output `verdict`, and an exit code. Undecided ends with 3 only where `undecided` is "fail".
set -euo pipefail

case "$GATE_UNDECIDED" in
  warn | fail) ;;
  *) echo "::error title=ioledger gate::undecided is warn or fail" >&2; exit 2 ;;
esac

# never empty: bash 3.2 takes an empty array for an unset variable
options=(--margin "$GATE_MARGIN" --alpha "$GATE_ALPHA")
for name in ${GATE_METRICS//[,$'\r']/ }; do options+=(--metric "$name"); done
if [ "$GATE_TRUST_ORDER" = true ]; then options+=(--trust-order); fi
if [ "$GATE_HISTORY" = true ]; then options+=(--history); fi
if [ -n "$GATE_DATABASE" ]; then options+=(--database "$GATE_DATABASE"); fi

# Modules in the folder at hand are those of whoever is judged.
export PYTHONSAFEPATH=1
separator=:
if [ "${RUNNER_OS:-}" = Windows ]; then separator=";"; fi
export PYTHONPATH="$GITHUB_ACTION_PATH/../../../ingest$separator$RUNNER_TEMP/ioledger" PYTHONDONTWRITEBYTECODE=1
code=0
rm -f "$RUNNER_TEMP/gate.json" "$RUNNER_TEMP/gate.md"
"$PYTHON" -m ioledger gate "${options[@]}" --github --json "$RUNNER_TEMP/gate.json" \
  --markdown "$RUNNER_TEMP/gate.md" -- "$GATE_BEFORE" "$GATE_AFTER" || code=$?

if [ "$code" -eq 0 ] && [ ! -f "$RUNNER_TEMP/gate.json" ]; then code=2; fi

verdict=unreadable
if [ "$code" -ne 2 ] && [ -f "$RUNNER_TEMP/gate.json" ]; then
  verdict=$("$PYTHON" -c 'import json, sys; print(json.load(open(sys.argv[1]))["verdict"])' "$RUNNER_TEMP/gate.json")
fi
echo "verdict=$verdict" >> "$GITHUB_OUTPUT"
if [ -f "$RUNNER_TEMP/gate.md" ]; then cat "$RUNNER_TEMP/gate.md" >> "$GITHUB_STEP_SUMMARY"; fi

if [ "$code" -eq 3 ] && [ "$GATE_UNDECIDED" = warn ]; then exit 0; fi
exit "$code"
