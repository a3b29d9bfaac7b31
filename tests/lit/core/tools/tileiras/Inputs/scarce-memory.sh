#!/bin/sh
# scarce-memory.sh INPUT: compiles INPUT in more and more address space, from where the program starts to where it is
# enough, and prints the exit codes in between.
limit=200000
while
  (ulimit -v $limit && tileiras --list-versions) > started 2>&1
  [ $? -eq 127 ] # The loader found no room for the libraries.
do
  limit=$((limit + 2000))
done
until (ulimit -v $limit && tileiras "$1" --gpu-name sm_90 -o x.ptx) 2> errors; do
  echo exit $?
  grep error: errors
  ls x.ptx 2> /dev/null
  limit=$((limit + 2000))
done
