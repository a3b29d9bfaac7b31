#!/bin/sh
# check-format.sh CLANG_FORMAT ROOT: fails when a source differs from what .clang-format says. 77: no clang-format.
set -u
clang_format=$1 root=$2
if ! command -v "$clang_format" > /dev/null; then
  echo "SKIP: clang-format is not installed"
  exit 77
fi
find "$root/core" "$root/plugins" "$root/emulator" "$root/interpreter" "$root/runtime" "$root/tests" \
  \( -name '*.h' -o -name '*.cpp' -o -name '*.c' \) -print0 |
  xargs -0 "$clang_format" --dry-run --Werror --ferror-limit=1 2>&1 | grep -E 'error:' && exit 1
echo "all sources are formatted"
