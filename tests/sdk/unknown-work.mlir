func.func @work(%lower: index, %upper: index, %step: index) {
  scf.for %i = %lower to %upper step %step {
    acme.sometimes {
      acme.done
    }
  }
  return
}
