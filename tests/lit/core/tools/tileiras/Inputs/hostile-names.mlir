// Names that LLVM makes for parameters, labels, stack frames and arguments of calls, beside what has them; words of PTX;
// globals that nobody else sees, under names that PTX does not have.
cuda_tile.module @m {
  global @k_param_0 <i32: 42> : tile<1xi32>
  global @"$L__BB0_2" <i32: 43> : tile<1xi32>
  global @__local_depot0 <i32: 44> : tile<1xi32>
  global @param0 <i32: 45> : tile<1xi32>
  global @retval0 <i32: 46> : tile<1xi32>
  global private @"a.b" <i32: 47> : tile<1xi32>
  global private @"a_b" <i32: 48> : tile<1xi32>
  global private @"\C3\A9" <i32: 49> : tile<1xi32>
  global private @vprintf <i32: 50> : tile<1xi32>
  global private @__cuda_sm20_div_u64 <i32: 51> : tile<1xi32>
  global private @__nv_sinf <i32: 52> : tile<1xi32>
  global private @"9" <i32: 53> : tile<1xi32>
  entry @k(%out: tile<ptr<i32>>, %n: tile<i32>, %d: tile<i64>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %g0 = get_global @k_param_0 : tile<ptr<i32>>
    %g1 = get_global @"$L__BB0_2" : tile<ptr<i32>>
    %g2 = get_global @__local_depot0 : tile<ptr<i32>>
    %g3 = get_global @param0 : tile<ptr<i32>>
    %g4 = get_global @retval0 : tile<ptr<i32>>
    %g5 = get_global @"a.b" : tile<ptr<i32>>
    %g6 = get_global @a_b : tile<ptr<i32>>
    %g7 = get_global @"\C3\A9" : tile<ptr<i32>>
    %g8 = get_global @vprintf : tile<ptr<i32>>
    %g9 = get_global @__cuda_sm20_div_u64 : tile<ptr<i32>>
    %g10 = get_global @__nv_sinf : tile<ptr<i32>>
    %g11 = get_global @"9" : tile<ptr<i32>>
    %v0, %t0 = load_ptr_tko weak %g0 : tile<ptr<i32>> -> tile<i32>, token
    %v1, %t1 = load_ptr_tko weak %g1 : tile<ptr<i32>> -> tile<i32>, token
    %v2, %t2 = load_ptr_tko weak %g2 : tile<ptr<i32>> -> tile<i32>, token
    %v3, %t3 = load_ptr_tko weak %g3 : tile<ptr<i32>> -> tile<i32>, token
    %v4, %t4 = load_ptr_tko weak %g4 : tile<ptr<i32>> -> tile<i32>, token
    %v5, %t5 = load_ptr_tko weak %g5 : tile<ptr<i32>> -> tile<i32>, token
    %v6, %t6 = load_ptr_tko weak %g6 : tile<ptr<i32>> -> tile<i32>, token
    %v7, %t7 = load_ptr_tko weak %g7 : tile<ptr<i32>> -> tile<i32>, token
    %v8, %t8 = load_ptr_tko weak %g8 : tile<ptr<i32>> -> tile<i32>, token
    %v9, %t9 = load_ptr_tko weak %g9 : tile<ptr<i32>> -> tile<i32>, token
    %v10, %t10 = load_ptr_tko weak %g10 : tile<ptr<i32>> -> tile<i32>, token
    %v11, %t11 = load_ptr_tko weak %g11 : tile<ptr<i32>> -> tile<i32>, token
    %s1 = addi %v0, %v1 : tile<i32>
    %s2 = addi %s1, %v2 : tile<i32>
    %s3 = addi %s2, %v3 : tile<i32>
    %s4 = addi %s3, %v4 : tile<i32>
    %s5 = addi %s4, %v5 : tile<i32>
    %s6 = addi %s5, %v6 : tile<i32>
    %s7 = addi %s6, %v7 : tile<i32>
    %s8 = addi %s7, %v8 : tile<i32>
    %s9 = addi %s8, %v9 : tile<i32>
    %s10 = addi %s9, %v10 : tile<i32>
    %s11 = addi %s10, %v11 : tile<i32>
    // A loop has labels, a print calls a function, a division of 64 bits calls one of the assembler's.
    %start = make_token : token
    %sum:2 = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%x = %s11, %before = %start) -> (tile<i32>, token) {
      %at = offset %out, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %read, %t = load_ptr_tko weak %at token=%before : tile<ptr<i32>> -> tile<i32>, token
      %next = addi %x, %read : tile<i32>
      continue %next, %t : tile<i32>, token
    }
    %wide = exti %sum#0 unsigned : tile<i32> -> tile<i64>
    %quotient = divi %wide, %d unsigned : tile<i64>
    %narrow = trunci %quotient : tile<i64> -> tile<i32>
    print_tko "%d\n", %narrow : tile<i32> -> token
    %written = store_ptr_tko weak %out, %narrow token=%sum#1 : tile<ptr<i32>>, tile<i32> -> token
    return
  }
  entry @k_param_1(%out: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %written = store_ptr_tko weak %out, %one : tile<ptr<i32>>, tile<i32> -> token
    return
  }
  entry @"$L__BB0_1"(%out: tile<ptr<i32>>) { return }
  entry @vprintf_param_0(%out: tile<ptr<i32>>) { return }
  entry @param(%out: tile<ptr<i32>>) { return }
  entry @ret(%out: tile<ptr<i32>>) { return }
  entry @entry(%out: tile<ptr<i32>>) { return }
  entry @func_retval0(%out: tile<ptr<i32>>) { return }
}
