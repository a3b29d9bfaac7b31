"""Kinds of programs around matrix products, as other people's front ends write them: make(kind, seed) is a case as
run.OwnKernel takes one, with `text`, the module, and what kind_quality.py expects of it.

A new way of writing is a new seed, not a new file: tiles, types, layouts and idioms are drawn from it.
"""

import kinds_of_attention
import kinds_of_loops
import kinds_of_operands
from kind_parts import Program

KINDS = {**kinds_of_operands.KINDS, **kinds_of_loops.KINDS, **kinds_of_attention.KINDS}


def make(kind, seed):
    return KINDS[kind](Program(kind, seed))
