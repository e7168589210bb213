#!/usr/bin/env bash
# dev/gate.sh: what action.yml does in the repository of a CUDA program, with the variables BUILD, RUN, OPTIONS, BASE and MACHINE.
# Counts BASE (a branch or commit; empty: none) in a worktree, then what is checked out, and compares. agpusim is on PATH. Leaves
# comment.md, findings.sarif, sheet.html, now.json and base.json in agpusim-out; the exit code is that of `agpusim exec`.
set -euo pipefail

out=$PWD/agpusim-out
mkdir -p "$out"
compare=()
if [ -n "${BASE:-}" ]; then
  git fetch --quiet --depth=1 origin "$BASE" 2>/dev/null || true
  commit=$(git rev-parse --verify --quiet "origin/$BASE^{commit}" || git rev-parse --verify --quiet "$BASE^{commit}" ||
    git rev-parse --verify FETCH_HEAD)
  tree=$(mktemp -d)
  trap 'git worktree remove --force "$tree" >/dev/null 2>&1 || true' EXIT
  git worktree add --quiet --force --detach "$tree" "$commit"
  # What the base cannot do is no fault of the change: then only conditions hold.
  # shellcheck disable=SC2086
  if (cd "$tree" && agpusim build -- bash -c "$BUILD" >&2 &&
    agpusim exec --machine "${MACHINE:-h200}" --quiet-program --json "$out/base.json" -- $RUN >&2) || [ -s "$out/base.json" ]; then
    compare=(--against "$out/base.json")
  else
    echo "gate: the base $BASE cannot be built or run; nothing is compared" >&2
  fi
fi
agpusim build -- bash -c "$BUILD"
# shellcheck disable=SC2086
agpusim exec --machine "${MACHINE:-h200}" ${OPTIONS:-} "${compare[@]}" --json "$out/now.json" --html "$out/sheet.html" \
  --markdown "$out/comment.md" --sarif "$out/findings.sarif" -- $RUN
