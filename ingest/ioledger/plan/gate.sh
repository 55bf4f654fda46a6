#!/bin/sh
# Runs every job file in pairs, one run before the change and one after it; the first side of each pair was
# drawn. The side before is set again at the end. Runs go to before/ and after/ of a folder, this one unless
# another is named: sh run.sh "$(date +%F)". Nothing is added to earlier runs, because a gate
# would take both for one measurement.
set -eu
cd "$(dirname "$0")"
runs="${1:-.}"
for side in before after; do
  if [ -n "$(ls -A "$runs/$side" 2>/dev/null)" ]; then
    echo "$PWD/$runs/$side contains earlier runs. Move it away, or name a folder for these runs:" \
      "sh run.sh $(date +%F)" >&2
    exit 1
  fi
done
set_before() {
  @BEFORE@
}
set_after() {
  @AFTER@
}
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
trap set_before EXIT
mkdir -p "$runs/before"
mkdir -p "$runs/after"
set_before
fio --output-format=json+ --output="$runs/preparation.json" preparation.fio
repetition=1
for first in @FIRSTS@; do
  order="before after"
  if [ "$first" = after ]; then order="after before"; fi
  for side in $order; do
    "set_$side"
@COMMANDS@
  done
  repetition=$((repetition + 1))
done
