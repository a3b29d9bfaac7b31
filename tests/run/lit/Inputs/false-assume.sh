#!/bin/sh
# false-assume.sh CHANGE LINE FACT: with CHANGE (of sed) in the launch, the emulator and the interpreter both say that the
# assumption FACT of line LINE is false.
sed "$1" launch.json > given.json
! tileiras-run assumes.mlir --launch given.json --on emulator > out.txt 2> emulator.txt &&
  ! tileiras-run assumes.mlir --launch given.json --on interpreter > out.txt 2> interpreter.txt &&
  grep -F "the assumption $3 is false (" emulator.txt &&
  grep -F "assumes.mlir:$2" emulator.txt &&
  grep -F 'an assumption of the program is false' emulator.txt &&
  grep "assumes.mlir:$2:.*the assumption is false" interpreter.txt
