"""What each operation of the language gives, from its specification and from nothing of ours.

The sentences are those of the public specification of CUDA Tile IR, 13.3 (github.com/NVIDIA/cuda-tile, Ops.td and AttrDefs.td;
docs.nvidia.com/cuda/tile-ir). `OPERATIONS` has an entry for each operation, variant and type; its function takes the codes of
one element and gives the code of the result, or raises `Skipped` where the language does not say.
"""

import dataclasses
import math
from fractions import Fraction
from typing import Callable

from formats import (ARITHMETIC_FLOATS, ARITHMETIC_INTS, DOWN, FLOATS, FORMATS, INF, INTS, MINUS_INF, MINUS_ZERO, NAN, NEAREST, UP,
                     ZERO, Scale, floor_log2)


class Skipped(Exception):
    """No result to compare with: the language leaves it undefined, or says too little. The argument is the citation."""


@dataclasses.dataclass(frozen=True)
class Operation:
    name: str
    text: str                 # {0}, {1} …: operands; {T0}, {T1} …: their types; {R}: the result's; {r}: the result
    operands: tuple
    result: str
    sentence: str             # of the specification, that the function follows
    function: Callable
    is_bitwise: bool = False  # else NaN agrees with NaN


OPERATIONS = []

WRAPS = "Ops.td, integer_arith_suffix: 'The default semantics are wrap-around semantics on overflow or underflow.'"
NATIVE = "Ops.td, floating_point_arith_suffix: '… performed by the target architecture's native floating-point instructions' (IEEE 754)"
NO_WRAP = "overflow: 'If an overflow occurs at runtime despite the value of overflow stating otherwise, the behavior is undefined.'"
LITTLE_SAID = "the specification bounds no error here: a conforming result may differ in the last places"


def add(mnemonic, variant, kind, arity, sentence, function, result=None, text=None):
    operands = (kind,) * arity
    names = ", ".join(f"{{{i}}}" for i in range(arity))
    text = text or f"{{r}} = {mnemonic} {names}{variant} : {{R}}"
    OPERATIONS.append(Operation(f"{mnemonic}{variant} {kind}", text, operands, result or kind, sentence, function))


# ---------------------------------------------------------------------------------------------------------------------------
# Integers
# ---------------------------------------------------------------------------------------------------------------------------

SUM = {"addi": lambda x, y: x + y, "subi": lambda x, y: x - y, "muli": lambda x, y: x * y}
PROMISES = {"": (), " overflow<no_signed_wrap>": (True,), " overflow<no_unsigned_wrap>": (False,), " overflow<no_wrap>": (True, False)}
SHIFT = ("Ops.td, shli and shri: 'The rhs operand is interpreted as an unsigned integer.'; '… native integer instructions', which are "
         "PTX's: 'Shift amounts greater than the register width N are clamped to N.'")
DIVISION = {"divi by zero": "divi: 'The behavior is undefined if the right hand side is zero.'",
            "divi overflow": "divi: 'A signed division overflow (minimum value divided by -1) is undefined behavior.'",
            "remi by zero": "remi: 'Division by zero is undefined behavior.'"}


def exact_shift(x, amount):
    """x · 2^amount, or any multiple that is far out of range."""
    return x << min(amount, 200)


def wrapping(t, exact, promises, amount_is_unsigned=False):
    def function(a, b):
        for is_signed in promises:
            x = t.signed(a) if is_signed else a
            y = t.signed(b) if is_signed and not amount_is_unsigned else b
            if not t.fits(exact(x, y), is_signed):
                raise Skipped(NO_WRAP)
        return t.wrap(exact(a, b))
    return function


def shift_right(t, is_signed):
    return lambda a, b: t.wrap((t.signed(a) if is_signed else a) >> min(b, 200))


def divide(t, is_signed, rounding):
    def function(a, b):
        x, y = (t.signed(a), t.signed(b)) if is_signed else (a, b)
        if y == 0:
            raise Skipped(DIVISION["divi by zero"])
        if is_signed and (x, y) == (t.minimum, -1):
            raise Skipped(DIVISION["divi overflow"])
        quotient = Fraction(x, y)
        return t.wrap({ZERO: math.trunc, DOWN: math.floor, UP: math.ceil}[rounding](quotient))
    return function


def remainder(t, is_signed):
    def function(a, b):
        x, y = (t.signed(a), t.signed(b)) if is_signed else (a, b)
        if y == 0:
            raise Skipped(DIVISION["remi by zero"])
        return t.wrap(x - math.trunc(Fraction(x, y)) * y)
    return function


PREDICATES = {"equal": lambda x, y: x == y, "not_equal": lambda x, y: x != y, "less_than": lambda x, y: x < y,
              "less_than_or_equal": lambda x, y: x <= y, "greater_than": lambda x, y: x > y,
              "greater_than_or_equal": lambda x, y: x >= y}


def add_reading(t, reading):
    """What reads its integers as `signed` or `unsigned`."""
    is_signed, kind = reading == "signed", t.name
    read = t.signed if is_signed else lambda code: code
    for name, choose in (("maxi", max), ("mini", min)):
        add(name, f" {reading}", kind, 2, f"{name}: the greater or the smaller of x_i and y_i",
            lambda a, b, choose=choose: t.wrap(choose(read(a), read(b))))
    add("shri", f" {reading}", kind, 2, SHIFT, shift_right(t, is_signed))
    add("remi", f" {reading}", kind, 2, "remi: 'x_i - trunc(x_i / y_i) × y_i'", remainder(t, is_signed))
    for rounding in (ZERO, UP, DOWN) if is_signed else (ZERO, UP):  # unsigned negative_inf 'is not a valid combination'
        variant = "" if rounding == ZERO else f" rounding<{rounding}>"
        add("divi", f" {reading}{variant}", kind, 2,
            "divi: 'The default rounding is towards zero'; positive_inf is 'ceiling division', negative_inf 'floor division'",
            divide(t, is_signed, rounding))
    for predicate, holds in PREDICATES.items():
        add("cmpi", f" {predicate} {reading}", kind, 2, "cmpi: 'The result is 1 if the comparison is true and 0 otherwise.'",
            lambda a, b, holds=holds: int(holds(read(a), read(b))), "i1",
            f"{{r}} = cmpi {predicate} {{0}}, {{1}}, {reading} : {{T0}} -> {{R}}")


def add_integers(t):
    kind = t.name
    for name, exact in SUM.items():
        for variant, promises in PROMISES.items():
            add(name, variant, kind, 2, WRAPS, wrapping(t, exact, promises))
    for variant, promises in PROMISES.items():
        add("shli", variant, kind, 2, SHIFT, wrapping(t, exact_shift, promises, amount_is_unsigned=True))
    for variant, promises in (("", ()), (" overflow<no_signed_wrap>", (True,))):
        add("negi", variant, kind, 1, "negi: 'always interpreted as signed integers', -x_i; " + WRAPS,
            lambda a, negate=wrapping(t, SUM["subi"], promises): negate(0, a))
    add("absi", "", kind, 1, "absi: the input 'interpreted as a signed integer', the output 'as an unsigned integer', |x|",
        lambda a: t.wrap(abs(t.signed(a))))
    add("mulhii", "", kind, 2, "mulhii: 'the most significant N bits of the 2N-bit product'; 'only defined for unsigned integers'",
        lambda a, b: (a * b) >> t.bits)
    for name, function in (("andi", lambda a, b: a & b), ("ori", lambda a, b: a | b), ("xori", lambda a, b: a ^ b)):
        add(name, "", kind, 2, f"{name}: 'element-wise, bitwise'", function)
    for reading in ("signed", "unsigned"):
        add_reading(t, reading)


def add_offsets(pointee, size, t):
    address = INTS["i64"]

    def function(a, b):
        distance = t.signed(b) * size
        if not address.fits(distance, True) or not address.fits(a + distance, False):
            raise Skipped("offset: 'In case of an overflow, the result is undefined.'")
        return a + distance
    pointers = f"{{S}}ptr<{pointee}>>"
    text = (f"{{r}}p = int_to_ptr {{0}} : {{T0}} -> {pointers}\n{{r}}q = offset {{r}}p, {{1}} : {pointers}, {{T1}} -> {pointers}\n"
            f"{{r}} = ptr_to_int {{r}}q : {pointers} -> {{R}}")
    OPERATIONS.append(Operation(f"offset ptr<{pointee}> {t.name}", text, ("i64", t.name), "i64",
                                "offset: 'ptr is interpreted as an unsigned integer. offset is interpreted as a signed integer.'",
                                function))


# ---------------------------------------------------------------------------------------------------------------------------
# Floating-point arithmetic
# ---------------------------------------------------------------------------------------------------------------------------

def sign_of(number):
    if isinstance(number, Fraction):
        return -1 if number < 0 else 1
    return -1 if number in (MINUS_INF, MINUS_ZERO) else 1


def is_infinite(number):
    return number in (INF, MINUS_INF)


def is_zero(number):
    return number == 0 or number == MINUS_ZERO


def magnitude(number):
    return Fraction(0) if number == MINUS_ZERO else number


def signed_infinity(sign):
    return INF if sign > 0 else MINUS_INF


def signed_zero(sign):
    return Fraction(0) if sign > 0 else MINUS_ZERO


def exact_sum(x, y, mode):
    """IEEE 754 §6.3: a sum that is zero has the sign of both operands, else + unless rounding is down."""
    if NAN in (x, y) or is_infinite(x) and is_infinite(y) and x != y:
        return NAN
    if is_infinite(x) or is_infinite(y):
        return x if is_infinite(x) else y
    total = magnitude(x) + magnitude(y)
    if total:
        return total
    if is_zero(x) and is_zero(y) and sign_of(x) == sign_of(y):
        return x
    return signed_zero(-1 if mode == DOWN else 1)


def negated(x):
    return {NAN: NAN, INF: MINUS_INF, MINUS_INF: INF, MINUS_ZERO: Fraction(0)}.get(x) if isinstance(x, str) else \
        -x if x else MINUS_ZERO


def exact_product(x, y, mode):
    if NAN in (x, y) or is_infinite(x) and is_zero(y) or is_zero(x) and is_infinite(y):
        return NAN
    sign = sign_of(x) * sign_of(y)
    if is_infinite(x) or is_infinite(y):
        return signed_infinity(sign)
    return x * y if not is_zero(x) and not is_zero(y) else signed_zero(sign)


def exact_quotient(x, y, mode):
    if NAN in (x, y) or is_infinite(x) and is_infinite(y) or is_zero(x) and is_zero(y):
        return NAN
    sign = sign_of(x) * sign_of(y)
    if is_infinite(x) or is_zero(y):
        return signed_infinity(sign)
    return signed_zero(sign) if is_zero(x) or is_infinite(y) else x / y


def exact_root(x, mode):
    """Of an irrational root, a number that rounds as it does: with more bits than any format, and one after them."""
    if x == NAN or sign_of(x) < 0 and not is_zero(x):
        return NAN
    if is_infinite(x) or is_zero(x):
        return x
    scale = 256 - floor_log2(x) // 2
    square = x * Fraction(4) ** scale
    root = math.isqrt(square.numerator // square.denominator)
    is_exact = root * root == square
    return (Fraction(root) if is_exact else Fraction(2 * root + 1, 2)) / Fraction(2) ** scale


ROUNDED = {"addf": exact_sum, "subf": lambda x, y, mode: exact_sum(x, negated(y), mode), "mulf": exact_product, "divf": exact_quotient,
           "fma": lambda x, y, z, mode: exact_sum(exact_product(x, y, mode), z, mode), "sqrt": exact_root}
FTZ = "Ops.td, flush_to_zero_desc: 'If set, flushes subnormal inputs and results to sign-preserving zero.'"


def rounded(t, name, mode, ftz):
    def function(*codes):
        flushed = [ftz and t.is_subnormal(code) for code in codes]
        numbers = [signed_zero(-1 if code & t.sign else 1) if isFlushed else t.decode(code)
                   for code, isFlushed in zip(codes, flushed)]
        exact = ROUNDED[name](*numbers, mode)
        result = t.encode(exact, mode)
        if not ftz:
            return result
        is_tiny = isinstance(exact, Fraction) and 0 < abs(exact) < t.smallest_normal
        if is_tiny and not t.is_subnormal(result):
            raise Skipped("flush_to_zero does not say whether a result is subnormal before or after it is rounded")
        if is_tiny:
            result &= t.sign
        if name == "mulf" and result & ~t.sign == 0 and (is_tiny or any(flushed)):
            raise Skipped("mulf: 'denormal numbers are flushed to positive zero', but flush_to_zero_desc: 'sign-preserving zero'")
        return result
    return function


def exact_remainder(x, y):
    if NAN in (x, y) or is_zero(y) or is_infinite(x):
        return NAN
    if is_infinite(y) or is_zero(x):
        return x
    rest = x - math.trunc(x / y) * y
    return rest if rest else signed_zero(sign_of(x))


def to_integer(x, rounds):
    if isinstance(x, str):
        return x
    number = Fraction(rounds(x))
    return number if number else signed_zero(sign_of(x))


def position(x):
    """On the line, -0 below +0."""
    if is_infinite(x):
        return (sign_of(x), 0, 0)
    return (0, magnitude(x), sign_of(x))


def extremum(t, choose, propagates, ftz):
    def function(a, b):
        numbers = [signed_zero(sign_of(t.decode(c))) if ftz and t.is_subnormal(c) else t.decode(c) for c in (a, b)]
        if NAN in numbers:
            others = [number for number in numbers if number != NAN]
            return t.nan if propagates or not others else t.encode(others[0])
        return t.encode(choose(numbers, key=position))
    return function


def compare(t, holds, is_unordered):
    def function(a, b):
        x, y = t.decode(a), t.decode(b)
        if NAN in (x, y):
            return int(is_unordered)
        line = [position(n)[:2] for n in (x, y)]
        return int(holds(*line))
    return function


def add_rounded(t, name, arity):
    kind = t.name
    for mode in (NEAREST, ZERO, DOWN, UP):
        rounding = "" if mode == NEAREST else f" rounding<{mode}>"
        add(name, rounding, kind, arity, NATIVE, rounded(t, name, mode, False))
        if kind == "f32":
            add(name, f"{rounding} flush_to_zero", kind, arity, FTZ, rounded(t, name, mode, True))


def add_floats(t):
    kind = t.name
    for name, arity in (("addf", 2), ("subf", 2), ("mulf", 2), ("divf", 2), ("fma", 3), ("sqrt", 1)):
        add_rounded(t, name, arity)
    add("remf", "", kind, 2, "remf: 'x_i - trunc(x_i / y_i) × y_i', 'the same sign as the dividend', 'Special cases'",
        lambda a, b: t.encode(exact_remainder(t.decode(a), t.decode(b))))
    add("absf", "", kind, 1, "absf: '|x|_i'", lambda a: a & ~t.sign)
    add("negf", "", kind, 1, "negf: '-x_i'", lambda a: a ^ t.sign)
    for name, rounds in (("ceil", math.ceil), ("floor", math.floor)):
        add(name, "", kind, 1, f"{name}: the integer next to the number; its zero as IEEE 754 §5.9 has it",
            lambda a, rounds=rounds: t.encode(to_integer(t.decode(a), rounds)))
    for name, choose in (("maxf", max), ("minf", min)):
        for variant, propagates in (("", False), (" propagate_nan", True)):
            for flush in ("", " flush_to_zero") if kind == "f32" else ("",):
                add(name, variant + flush, kind, 2,
                    f"{name}: IEEE 754-2019's maximum and maximumNumber, or minimum and minimumNumber; -0.0 below +0.0",
                    extremum(t, choose, propagates, bool(flush)))
    for predicate, holds in PREDICATES.items():
        for ordering in ("ordered", "unordered"):
            add("cmpf", f" {predicate} {ordering}", kind, 2,
                "cmpf: '1 if the comparison is true and 0 otherwise'; AttrDefs.td, comparison_ordering: NaN",
                compare(t, holds, ordering == "unordered"), "i1",
                f"{{r}} = cmpf {predicate} {ordering} {{0}}, {{1}} : {{T0}} -> {{R}}")


# ---------------------------------------------------------------------------------------------------------------------------
# Elementary functions: where the function's limit is exact
# ---------------------------------------------------------------------------------------------------------------------------

ONE, NOTHING = Fraction(1), Fraction(0)
# At NaN all are NaN. -inf, negative numbers, -0, +0, inf; None: not an exact number.
FUNCTIONS = {"exp": (NOTHING, None, ONE, ONE, INF), "exp2": (NOTHING, None, ONE, ONE, INF), "log": (NAN, NAN, MINUS_INF, MINUS_INF, INF),
             "log2": (NAN, NAN, MINUS_INF, MINUS_INF, INF), "rsqrt": (NAN, NAN, MINUS_INF, INF, NOTHING),
             "sin": (NAN, None, MINUS_ZERO, NOTHING, NAN), "cos": (NAN, None, ONE, ONE, NAN), "tan": (NAN, None, MINUS_ZERO, NOTHING, NAN),
             "sinh": (MINUS_INF, None, MINUS_ZERO, NOTHING, INF), "cosh": (INF, None, ONE, ONE, INF),
             "tanh": (-ONE, None, MINUS_ZERO, NOTHING, ONE)}
LIMIT = "the limit of the function in the specification's formula; zeros, infinities and NaN as IEEE 754 §9.2 has them"


def function_of(t, limits, variant=""):
    def function(a):
        x = t.decode(a)
        if x == NAN:
            return t.nan
        which = 0 if x == MINUS_INF else 4 if x == INF else 2 if x == MINUS_ZERO else 3 if x == 0 else 1 if x < 0 else None
        if "flush_to_zero" in variant and t.is_subnormal(a):
            which = 2 if x < 0 else 3
        result = limits[which] if which is not None else None
        if result is None:
            raise Skipped(LITTLE_SAID)
        return t.encode(result)
    return function


def is_odd(y):
    return y.denominator == 1 and y.numerator % 2 == 1


def power(x, y):
    """IEEE 754 §9.2.1, pow; None where it is an ordinary number."""
    if y == 0 or y == MINUS_ZERO or x == 1:
        if NAN in (x, y):
            raise Skipped("pow: NaN to the power of 0, and 1 to the power of NaN, are no limits")
        return ONE
    if NAN in (x, y):
        return NAN
    if is_infinite(y):
        size = INF if is_infinite(x) else abs(magnitude(x))
        if size == 1:
            raise Skipped("pow: -1 to the power of an infinity is no limit")
        grows = size == INF or size > 1
        return INF if grows == (y == INF) else NOTHING
    if is_zero(x) or is_infinite(x):
        sign = -1 if sign_of(x) < 0 and is_odd(y) else 1
        return signed_infinity(sign) if is_infinite(x) == (y > 0) else signed_zero(sign)
    return NAN if x < 0 and y.denominator != 1 else None


def power_of(t, read_exponent):
    def function(a, b):
        x, y = t.decode(a), read_exponent(b)
        result = power(x, y)
        if result is None:
            raise Skipped(LITTLE_SAID)
        return t.encode(result)
    return function


def angle_of(t):
    def function(a, b):
        y, x = t.decode(a), t.decode(b)
        if NAN in (x, y):
            return t.nan
        if sign_of(x) < 0 or not (is_zero(y) or x == INF and not is_infinite(y)):
            raise Skipped(LITTLE_SAID)
        return t.encode(signed_zero(sign_of(y)))
    return function


def add_functions(t):
    kind = t.name
    for name, limits in FUNCTIONS.items():
        add(name, "", kind, 1, LIMIT, function_of(t, limits))
    add("pow", "", kind, 2, LIMIT, power_of(t, t.decode))
    add("atan2", "", kind, 2, LIMIT, angle_of(t))
    for exponent in ("i8", "i16", "i32"):
        OPERATIONS.append(Operation(f"fpowi {kind} {exponent}", "{r} = fpowi {0}, {1} : {T0}, {T1} -> {R}", (kind, exponent), kind, LIMIT,
                                    power_of(t, lambda b, e=INTS[exponent]: Fraction(e.signed(b)))))
    if kind != "f32":
        return
    for name in ("exp2", "rsqrt"):
        add(name, " flush_to_zero", kind, 1, FTZ + "; " + LIMIT, function_of(t, FUNCTIONS[name], "flush_to_zero"))
    for name in ("exp", "tanh"):
        add(name, " rounding<approx>", kind, 1, LIMIT, function_of(t, FUNCTIONS[name]))
    # PTX's square root is exact at the ends of its range, and div.approx is nothing there.
    add("sqrt", " rounding<approx>", kind, 1, LIMIT, function_of(t, (NAN, NAN, MINUS_ZERO, NOTHING, INF)))


# ---------------------------------------------------------------------------------------------------------------------------
# Conversions
# ---------------------------------------------------------------------------------------------------------------------------

def add_conversion(name, variant, source, target, sentence, function):
    OPERATIONS.append(Operation(f"{name}{variant} {source} {target}", f"{{r}} = {name} {{0}}{variant} : {{T0}} -> {{R}}", (source,),
                                target, sentence, function, is_bitwise=name == "bitcast"))


def truncate(s, t, promises):
    def function(a):
        for is_signed in promises:
            kept = t.wrap(a)
            if (t.signed(kept) if is_signed else kept) != (s.signed(a) if is_signed else a):
                raise Skipped("trunci: 'all truncated bits must have the same value as the most significant bit', 'must be zero'; " +
                              NO_WRAP)
        return t.wrap(a)
    return function


def add_widths():
    for s in INTS.values():
        for t in INTS.values():
            if s.bits < t.bits:
                add_conversion("exti", " unsigned", s.name, t.name, "exti: 'Zero-extension is used for unsigned'", lambda a: a)
                add_conversion("exti", " signed", s.name, t.name, "exti: 'sign-extension is used for signed'",
                               lambda a, s=s, t=t: t.wrap(s.signed(a)))
            elif s.bits > t.bits:
                for variant, promises in PROMISES.items():
                    add_conversion("trunci", variant, s.name, t.name, "trunci: 'to one with a strictly smaller width'",
                                   truncate(s, t, promises))


def integer_to_float(s, t, is_signed):
    def function(a):
        number = Fraction(s.signed(a) if is_signed else a)
        code = t.encode(number, NEAREST)
        if code is None and isinstance(t, Scale):
            raise Skipped("itof does not say what f8E8M0FNU has for 0 and negative numbers, nor which power of two is even")
        if code is None and t.special == "finite":
            raise Skipped("itof: 'converted to Inf for types that support that value, and NaN otherwise': f4E2M1FN has neither")
        return t.nan if code is None else code
    return function


def float_to_integer(s, t, is_signed):
    def function(a):
        number = s.decode(a)
        if isinstance(number, str) and number != MINUS_ZERO:
            raise Skipped("ftoi: 'If the input floating-point value is Inf or NaN …, using the returned value is undefined behavior.'")
        whole = math.trunc(magnitude(number))
        if not t.fits(whole, is_signed):
            raise Skipped("ftoi: '… outside the representable range of the target integer type, … is undefined behavior.'")
        return t.wrap(whole)
    return function


def float_to_float(s, t, mode):
    def function(a):
        number = s.decode(a)
        if isinstance(t, Scale):
            code = t.encode(number, mode)
            if code is None:
                raise Skipped("ftof does not say what f8E8M0FNU has for what is not within its range")
            return code
        code = t.encode(number, mode)
        largest = getattr(t, "largest", None)
        beyond = isinstance(number, Fraction) and abs(number) > largest or is_infinite(number)
        if code is None or t.bits <= 8 and beyond:
            raise Skipped("ftof does not say what formats of 8 and 4 bits have for what is beyond their largest number, or NaN")
        return code
    return function


def add_number_conversions():
    for name, t in FORMATS.items():
        if name in INTS:
            continue
        for kind in ARITHMETIC_INTS:
            for reading in ("signed", "unsigned"):
                add_conversion("itof", f" {reading}", kind, name,
                               "itof: 'the numerical value of the tile, rounded to the nearest floating-point number'",
                               integer_to_float(INTS[kind], t, reading == "signed"))
                add_conversion("ftoi", f" {reading}", name, kind, "ftoi: 'rounded towards zero to the nearest integer'",
                               float_to_integer(t, INTS[kind], reading == "signed"))
        for source, s in FORMATS.items():
            if source in INTS or source == name:
                continue
            # 13.3 has 'only NEAREST_EVEN', to f8E8M0FNU 'only ZERO and POSITIVE_INF'; later versions have more.
            modes = (NEAREST, ZERO, DOWN, UP) if source in ("f32", "f64") and s.bits > t.bits else (NEAREST,)
            for mode in (ZERO, UP) if isinstance(t, Scale) else modes:
                rounding = "" if mode == NEAREST else f" rounding<{mode}>"
                add_conversion("ftof", rounding, source, name, "ftof: 'converts a tile of a given floating-point element type into one of "
                               "a different floating-point element type', rounded as rounding_mode says", float_to_float(s, t, mode))


def add_bitcasts():
    for source, s in FORMATS.items():
        for target, t in FORMATS.items():
            if source != target and s.bits == t.bits and "tf32" not in (source, target):
                add_conversion("bitcast", "", source, target, "bitcast: 'without modifying the underlying bits'", lambda a: a)


# ---------------------------------------------------------------------------------------------------------------------------
# Several operations, where compilers are known to join them wrongly
# ---------------------------------------------------------------------------------------------------------------------------

def add_sign_mask(narrow, wide):
    """A bit, extended and moved to the top, is the smallest number: so it stays when it is extended."""
    text = (f"{{r}}x = exti {{0}} signed : {{T0}} -> {{S}}{narrow.name}>\n{{r}}n = constant <{narrow.name}: {narrow.bits - 1}> : "
            f"{{S}}{narrow.name}>\n{{r}}s = shli {{r}}x, {{r}}n : {{S}}{narrow.name}>\n"
            f"{{r}} = exti {{r}}s signed : {{S}}{narrow.name}> -> {{R}}")
    OPERATIONS.append(Operation(f"mask i1 {narrow.name} {wide.name}", text, ("i1",), wide.name, SHIFT,
                                lambda a: wide.wrap(narrow.minimum) if a else 0))


def add_promised_steps(t, steps, predicate, reading):
    """Whether x after some sums with promises compares so with x. `steps` are (operation, constant, promise)."""
    body, last = "", "{0}"
    for i, (name, constant, promise) in enumerate(steps):
        body += (f"{{r}}c{i} = constant <{t.name}: {constant}> : {{T0}}\n"
                 f"{{r}}s{i} = {name} {last}, {{r}}c{i} overflow<{promise}> : {{T0}}\n")
        last = f"{{r}}s{i}"
    text = body + f"{{r}} = cmpi {predicate} {last}, {{0}}, {reading} : {{T0}} -> {{R}}"
    read = t.signed if reading == "signed" else lambda code: code

    def function(a):
        code = a
        for name, constant, promise in steps:
            code = wrapping(t, SUM[name], PROMISES[f" overflow<{promise}>"])(code, t.wrap(constant))
        return int(PREDICATES[predicate](read(code), read(a)))
    label = " ".join(f"{name} {constant} {promise}" for name, constant, promise in steps)
    OPERATIONS.append(Operation(f"{label} {t.name}", text, (t.name,), "i1", NO_WRAP, function))


def add_chains():
    for narrow, wide in (("i8", "i16"), ("i8", "i64"), ("i16", "i32"), ("i32", "i64")):
        add_sign_mask(INTS[narrow], INTS[wide])
    for t in (INTS["i8"], INTS["i32"], INTS["i64"]):
        most = t.maximum * 3 // 4
        add_promised_steps(t, [("addi", most, "no_signed_wrap"), ("addi", most, "no_signed_wrap")], "less_than", "signed")
        add_promised_steps(t, [("subi", 5, "no_unsigned_wrap"), ("addi", 3, "no_unsigned_wrap")], "greater_than", "unsigned")
        add_promised_steps(t, [("subi", -most, "no_signed_wrap"), ("subi", -most, "no_signed_wrap")], "less_than", "signed")
        add_promised_steps(t, [("muli", 3, "no_wrap"), ("addi", -1, "no_signed_wrap")], "less_than", "signed")


for integer in ARITHMETIC_INTS:
    add_integers(INTS[integer])
for floating in ARITHMETIC_FLOATS:
    add_floats(FLOATS[floating])
    add_functions(FLOATS[floating])
for pointed, pointed_size in (("i8", 1), ("f32", 4), ("i64", 8)):
    for index in ARITHMETIC_INTS:
        add_offsets(pointed, pointed_size, INTS[index])
add_widths()
add_number_conversions()
add_bitcasts()
add_chains()


# ---------------------------------------------------------------------------------------------------------------------------
# Operands
# ---------------------------------------------------------------------------------------------------------------------------

def halfway(s, t):
    """Between neighbours of the format `t`, and next to the middle on both sides."""
    step = 1 << t.padding
    for code in t.edges() if t.bits <= 16 else t.edges()[:18]:
        pair = [t.decode(code), t.decode((code + step) & ((1 << t.bits) - 1))]
        if all(isinstance(number, Fraction) for number in pair):
            yield from (sum(pair) / 2 * (1 + Fraction(d, 2 ** 45)) for d in (-1, 0, 1))
    if s.name in INTS:
        digits = t.mantissa_bits + 1
        for exponent in range(digits, s.bits):
            yield from (Fraction(2) ** exponent + odd * Fraction(2) ** (exponent - digits) for odd in (1, 3))


def conversion_edges(source, target):
    """What lies where the other format ends, or half way between two of its numbers."""
    s, t = FORMATS[source], FORMATS[target]
    if target in INTS:
        numbers = [Fraction(n) + d for n in (t.minimum, t.maximum, t.mask, 0, 1, -1) for d in (-1, -Fraction(1, 2), 0, Fraction(1, 2), 1)]
    elif isinstance(t, Scale):
        powers = [t.decode(code) for code in t.edges() if code != t.nan]
        numbers = [power * (1 + Fraction(n, 2 ** 45)) for power in powers for n in (-1, 0, 1, 2 ** 44)]
    else:
        last = t.largest - t.decode(t.largest_code - (1 << t.padding))
        numbers = [*halfway(s, t), *(sign * (t.largest + last * Fraction(n, 4)) for sign in (1, -1) for n in (0, 1, 2, 4))]
    if source in INTS:
        whole = [sign * math.floor(number) + d for number in numbers for d in (-1, 0, 1) for sign in (1, -1)]
        return [s.wrap(number) for number in whole if s.minimum <= number <= s.mask]
    encoded = [s.encode(number, ZERO) for number in numbers] if not isinstance(s, Scale) else []
    return [code for code in encoded if code is not None]


def edges(operation):
    """Codes to try for each operand."""
    columns = [FORMATS[kind].edges() for kind in operation.operands]
    if len(columns) == 1 and operation.operands[0] != operation.result:
        columns[0] = list(dict.fromkeys(columns[0] + conversion_edges(operation.operands[0], operation.result)))
    if " overflow<" in operation.text and len(columns) == 1:  # a few numbers that keep every promise, too
        t = FORMATS[operation.operands[0]]
        columns[0] = list(dict.fromkeys(columns[0] + [t.wrap(t.minimum // 4 * n + d) for n in range(8) for d in (-1, 0, 1, 6)]))
    if operation.name.startswith("pow "):
        t = FLOATS[operation.operands[0]]
        more = [t.encode(Fraction(n)) for n in (-1, 2, -2, -3, 2 ** 53, -(2 ** 63), 2 ** 63)]
        columns[1] = list(dict.fromkeys(columns[1] + more))
    if len(columns) == 3:  # their cube would be many
        columns = [column[::3] for column in columns]
    return columns
