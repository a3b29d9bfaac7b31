#!/bin/sh
# What the command says of its command line and input: command.sh PTX-EMULATOR DATA
emulator=$1 data=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# expect STATUS TEXT ARGUMENT…: this exit status, and TEXT (a basic regular expression) in what is printed.
expect() {
  status=$1 text=$2
  shift 2
  output=$("$emulator" "$@" 2>&1)
  got=$?
  if [ $got -ne "$status" ] || ! printf '%s\n' "$output" | grep -q -e "$text"; then
    printf 'ptx-emulator %s: status %s, expected %s and "%s":\n%s\n' "$*" $got "$status" "$text" "$output"
    failed=1
  fi
}

kernel=$data/store.ptx
cat >"$folder/good.json" <<END
{"grid": [1], "buffers": [{"name": "out", "bytes": 4}], "parameters": [{"buffer": "out"}],
 "expect": [{"buffer": "out", "type": "u32", "values": [7]}]}
END
sed 's/"values": \[7\]/"values": [8]/' "$folder/good.json" >"$folder/wrong.json"
sed 's/"expect"/"expects"/' "$folder/good.json" >"$folder/unknown.json"
sed 's/"bytes": 4/"bytes": 2/; s/\[7\]/[7], "bytes": 4/' "$folder/good.json" >"$folder/larger.json"
sed 's/"bytes": 4/"bytes": 2/; s/u32/u16/' "$folder/good.json" >"$folder/small.json"
sed 's/"expect".*/"write": [{"buffer": "out", "bytes": 4, "file": "\/dev\/full"}]}/' "$folder/good.json" >"$folder/full.json"
sed 's/\[{"buffer": "out"}\]/[]/' "$folder/good.json" >"$folder/few.json"

expect 0 'USAGE' --help
expect 0 'dynamic shared memory' run --help
expect 0 'ptx-emulator [0-9]' --version
expect 2 'needs a command'
expect 0 'by a model' time --help
expect 2 'either --launch or --case' time "$kernel"
expect 2 'registers takes a number from 1 to 255' time "$kernel" --launch "$folder/good.json" --registers 256
expect 0 'NVIDIA H200 SXM (model' time "$kernel" --launch "$folder/good.json" --machine h200-sxm
expect 0 '"kind": "model"' time "$kernel" --launch "$folder/good.json" --json -
expect 0 'PTX line' time "$kernel" --launch "$folder/good.json" --lines --trace "$folder/trace.json"
expect 3 "no machine 'h100'; did you mean 'h100-sxm'" time "$kernel" --launch "$folder/good.json" --machine h100
printf '[sm]\nschedulers = 0\n' >"$folder/bad.toml"
expect 3 'bad.toml:2:14: sm.schedulers = 0 is impossible' time "$kernel" --launch "$folder/good.json" --machine "$folder/bad.toml"
expect 3 'parameters' time "$kernel" --launch "$folder/few.json"
expect 3 'cannot write' time "$kernel" --launch "$folder/good.json" --json /dev/full
expect 2 'either --launch or --case' run "$kernel"
expect 2 'not both' run "$kernel" --launch "$folder/good.json" --case "$folder"
expect 2 "'x' value invalid" run "$kernel" --launch "$folder/good.json" --seeds x
expect 2 'seeds takes a number from 1' run "$kernel" --launch "$folder/good.json" --seeds 0
expect 2 "'-1' value invalid" run "$kernel" --launch "$folder/good.json" --seeds -1
expect 2 'block takes X' run "$kernel" --launch "$folder/good.json" --block 1,2,3,4
expect 2 'cluster takes X' run "$kernel" --launch "$folder/good.json" --cluster 0
expect 0 '1 entries' check "$kernel"
expect 3 '^cannot read .*: Is a directory' check "$folder"
expect 3 '^cannot read .*: Is a directory' run "$kernel" --launch "$folder"
expect 3 'launch.txt: No such file' run "$kernel" --case "$folder"
expect 0 'clean' run "$kernel" --launch "$folder/good.json"
expect 1 'got 7, expected 8' run "$kernel" --launch "$folder/wrong.json"
expect 3 'unknown.json: unknown key' run "$kernel" --launch "$folder/unknown.json"
expect 3 "4 bytes, buffer 'out' 2" run "$kernel" --launch "$folder/larger.json"
expect 1 'out-of-bounds' run "$kernel" --launch "$folder/small.json"
expect 2 "kinds after which a run can go on (accumulator.*, not 'deadlock'" run "$kernel" --launch "$folder/good.json" --allow deadlock
expect 2 'reports takes a number from 1' run "$kernel" --launch "$folder/good.json" --reports 0
expect 0 'clean' run "$kernel" --launch "$folder/good.json" --strict --allow data-race,async-in-flight
race="run $data/missing-barrier.ptx --launch $data/missing-barrier.json"
expect 1 'error.data-race' $race
expect 1 'error.data-race' $race --reports 1
# Only the expected result is left to say that something is wrong, where there is one.
output=$("$emulator" $race --allow data-race,uninitialized-shared 2>&1)
printf '%s\n' "$output" | grep -q 'warning.data-race' && ! printf '%s\n' "$output" | grep -q 'error' || {
  printf 'allowed kinds are no warnings:\n%s\n' "$output"
  failed=1
}
# Launches that run together: right alone, a race together.
for number in 1 2; do
  printf '{"grid": [2], "buffers": [{"name": "out", "bytes": 8}], "parameters": [{"buffer": "out"}, {"u32": %s}],
    "expect": [{"buffer": "out", "type": "u32", "values": [%s, %s]}]}' $number $number $number >"$folder/scratch$number.json"
  expect 0 'clean' run "$data/shared-scratch.ptx" --launch "$folder/scratch$number.json"
done
expect 1 'error.data-race.*of launch [12]' run "$data/shared-scratch.ptx" --launch "$folder/scratch1.json" --launch "$folder/scratch2.json"
expect 0 'clean' run "$kernel" --launch "$folder/good.json" --launch "$folder/good.json" --seeds 3
expect 1 'got 7, expected 8' run "$kernel" --launch "$folder/good.json" --launch "$folder/wrong.json"
expect 2 'trace is for one launch' run "$kernel" --launch "$folder/good.json" --launch "$folder/good.json" --trace "$folder/trace"
expect 0 'loop at line 12 of spin: 1 entries' run "$data/count.ptx" --launch "$folder/good.json" --profile-loops
mkdir "$folder/case"
printf 'grid 1 1 1\nbuffer out 4 zero.bin\nparam ptr out 0\n' >"$folder/case/launch.txt"
: >"$folder/case/zero.bin"
expect 0 'clean' run "$kernel" --case "$folder/case"
printf '\010\000\000\000' >"$folder/case/exp_out.bin"
expect 0 'warning: .*got 7, expected 8' run "$kernel" --case "$folder/case"
printf 'expected out exp_out.bin u32 0 0\n' >"$folder/case/compare.txt"
expect 1 'got 7, expected 8' run "$kernel" --case "$folder/case"
printf 'expected out exp_out.bin u32 0 1\n' >"$folder/case/compare.txt"
expect 0 'clean' run "$kernel" --case "$folder/case"
expect 3 '^cannot write /dev/full: No space' run "$kernel" --launch "$folder/full.json"
expect 3 '^cannot write /dev/full' run "$kernel" --launch "$folder/good.json" --trace /dev/full
expect 3 "store.ptx: line .*has 1 parameters, the launch gives 0" run "$kernel" --launch "$folder/few.json"
exit $failed
