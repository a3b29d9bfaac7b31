#!/bin/sh
# scarce-memory.sh INPUT: compiles INPUT in more and more address space, from where the program starts to where it is
# enough, and prints the exit codes in between.
limit=100000
while
  (ulimit -v $limit && tileiras --list-versions) > started 2>&1
  status=$? # The loader found no room for the libraries (127), or these none to initialise themselves, before main (134).
  [ $status -eq 127 ] || [ $status -eq 134 ]
do
  limit=$((limit + 2000))
done
until (ulimit -v $limit && tileiras "$1" --gpu-name sm_90 -o x.ptx) 2> errors; do
  echo exit $?
  grep error: errors
  ls x.ptx 2> /dev/null
  limit=$((limit + 2000))
done
