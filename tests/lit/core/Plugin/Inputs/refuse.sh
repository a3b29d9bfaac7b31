# refuse.sh OUTPUT PLUGIN [OPTION…]: compiles with a plugin, prints the messages and the exit code, and says when an
# output file was left behind.
output=$1 plugin=$2
shift 2
rm -f "$output"
echo 'cuda_tile.module @m {}' | tileiras "--load-plugin=$plugin" "$@" - --emit=cuda_tile -o "$output"
echo "exit $?"
[ ! -e "$output" ] || echo "an output file was left behind"
