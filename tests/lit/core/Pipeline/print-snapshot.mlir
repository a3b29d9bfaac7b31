// RUN: tileiras-opt %s --pass-pipeline='builtin.module(tileir-print-snapshot{tag=here})' -o /dev/null 2>&1 | FileCheck %s

// CHECK: // -----// snapshot 'here' //----- //
// CHECK: func.func private @f() loc(#[[LOC:.*]])
// CHECK: #[[LOC]] = loc("a.py":1:2)
// CHECK: // -----// end of 'here' //----- //
func.func private @f() loc("a.py":1:2)
