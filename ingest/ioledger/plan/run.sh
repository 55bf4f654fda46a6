#!/bin/sh
# Runs every job file; each repetition writes @EACH@ anew first.@TURNS@
set -eu
cd "$(dirname "$0")"
for file in @EARLIER@; do
  if [ -e "$file" ]; then
    echo "$PWD/$file is from an earlier time. Move it away; a new run would replace it." >&2
    exit 1
  fi
done
repetition=1
while [ "$repetition" -le @REPETITIONS@ ]; do
@PAUSE@@COMMANDS@
  repetition=$((repetition + 1))
done
