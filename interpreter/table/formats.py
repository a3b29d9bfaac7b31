"""Number formats in exact arithmetic: codes are integers, numbers fractions.

Of a floating-point code, `decode` gives a Fraction, or one of NAN, INF, MINUS_INF and MINUS_ZERO; `Float.encode` rounds a
Fraction once. Nothing here rounds on the way.
"""

import dataclasses
import functools
from fractions import Fraction

NAN, INF, MINUS_INF, MINUS_ZERO = "nan", "inf", "-inf", "-0"
NEAREST, ZERO, DOWN, UP = "nearest_even", "zero", "negative_inf", "positive_inf"


def floor_log2(number):
    """Of a positive fraction."""
    exponent = number.numerator.bit_length() - number.denominator.bit_length()
    return exponent if Fraction(2) ** exponent <= number else exponent - 1


@dataclasses.dataclass(frozen=True)
class Int:
    name: str
    bits: int

    @property
    def mask(self):
        return (1 << self.bits) - 1

    @property
    def minimum(self):
        return -(1 << (self.bits - 1))

    @property
    def maximum(self):
        return (1 << (self.bits - 1)) - 1

    def signed(self, code):
        return code - (1 << self.bits) if code >> (self.bits - 1) else code

    def wrap(self, number):
        return number & self.mask

    def fits(self, number, is_signed):
        return self.minimum <= number <= self.maximum if is_signed else 0 <= number <= self.mask

    def edges(self):
        """0, 1, -1, the smallest and the largest number, the width and its neighbours, powers of two and their neighbours."""
        numbers = [0, 1, 2, 3, 5, 7, -1, -2, -3, -7, self.minimum, self.minimum + 1, self.maximum, self.maximum - 1]
        numbers += [self.bits - 1, self.bits, self.bits + 1, 2 * self.bits, -self.bits]
        numbers += [1 << (self.bits // 2), (1 << (self.bits // 2)) - 1, 0x123456789ABCDEF1, 0x5555555555555555]
        numbers += [(1 << 32) + 5, 1 << 63 | 3] if self.bits == 64 else []
        return list(dict.fromkeys(self.wrap(number) for number in numbers))


@dataclasses.dataclass(frozen=True)
class Float:
    """Sign, exponent and mantissa, from the top. `ieee`: the largest exponent is that of infinities and NaN; `fn`: all ones
    is the only NaN; `finite`: there is neither."""
    name: str
    exponent_bits: int
    mantissa_bits: int
    special: str = "ieee"
    padding: int = 0  # bits of no meaning below the mantissa

    @property
    def bits(self):
        return 1 + self.exponent_bits + self.mantissa_bits + self.padding

    @property
    def bias(self):
        return (1 << (self.exponent_bits - 1)) - 1

    @property
    def sign(self):
        return 1 << (self.bits - 1)

    @property
    def infinity(self):
        return ((1 << self.exponent_bits) - 1) << (self.mantissa_bits + self.padding)

    @property
    def nan(self):
        return self.infinity | 1 << (self.mantissa_bits + self.padding - 1) if self.special == "ieee" else self.sign - 1

    @property
    def largest_code(self):
        step = 1 << self.padding
        return {"ieee": self.infinity, "fn": self.sign - step, "finite": self.sign}[self.special] - step

    @property
    def largest(self):
        return self.decode(self.largest_code)

    @property
    def smallest_normal(self):
        return Fraction(2) ** (1 - self.bias)

    @functools.lru_cache(maxsize=None)
    def decode(self, code):
        magnitude = (code & (self.sign - 1)) >> self.padding
        exponent, mantissa = magnitude >> self.mantissa_bits, magnitude & ((1 << self.mantissa_bits) - 1)
        if self.special == "ieee" and exponent == (1 << self.exponent_bits) - 1:
            return NAN if mantissa else MINUS_INF if code & self.sign else INF
        if self.special == "fn" and magnitude == (self.sign >> self.padding) - 1:
            return NAN
        if exponent:
            mantissa, exponent = mantissa | 1 << self.mantissa_bits, exponent - 1
        number = Fraction(mantissa) * Fraction(2) ** (exponent + 1 - self.bias - self.mantissa_bits)
        if code & self.sign:
            return -number if number else MINUS_ZERO
        return number

    def is_subnormal(self, code):
        number = self.decode(code)
        return isinstance(number, Fraction) and 0 < abs(number) < self.smallest_normal

    def round(self, magnitude, away, nearest):
        """The code of the number next to a magnitude: the nearest, ties to even, or that on one side. May be beyond the
        largest, as if the exponent had no end."""
        exponent = max(1 - self.bias, floor_log2(magnitude)) if magnitude else 1 - self.bias
        step = Fraction(2) ** (exponent - self.mantissa_bits)
        count, rest = divmod(magnitude, step)
        if rest and (away or nearest and (rest > step / 2 or rest == step / 2 and count % 2)):
            count += 1
        # Codes of neighbours follow each other, across powers of two.
        return count + ((exponent - (1 - self.bias)) << self.mantissa_bits)

    def encode(self, number, mode=NEAREST, negative_zero=False):
        """Rounds once. Overflow as IEEE 754 has it; None where the format has no code for it."""
        if number == NAN:
            return self.nan if self.special != "finite" else None
        if number in (INF, MINUS_INF):
            return self.infinity | (self.sign if number == MINUS_INF else 0) if self.special == "ieee" else None
        if number == MINUS_ZERO:
            return self.sign
        negative = number < 0 or number == 0 and negative_zero
        away = mode == UP and not negative or mode == DOWN and negative
        code = self.round(abs(number), away, mode == NEAREST) << self.padding
        if code > self.largest_code:
            if mode != NEAREST and not away:
                code = self.largest_code
            elif self.special != "ieee":
                return None
            else:
                code = self.infinity
        return code | (self.sign if negative else 0)

    def edges(self):
        """Zeros, subnormals, neighbours of one and of powers of two, the largest, infinities, NaNs; of both signs. All codes
        of formats of a byte."""
        if self.bits <= 8:
            return list(range(1 << self.bits))
        step = 1 << self.padding
        one = self.bias << (self.mantissa_bits + self.padding)
        positive = [0, step, 2 * step, (1 << (self.mantissa_bits + self.padding)) - step, 1 << (self.mantissa_bits + self.padding)]
        positive += [one, one + step, one - step, self.encode(Fraction(1, 2)), self.encode(Fraction(3, 2)),
                     self.encode(Fraction(5, 2)), self.encode(Fraction(3)), self.encode(Fraction(7, 10)), self.encode(Fraction(100))]
        positive += [self.largest_code, self.largest_code - step, self.infinity, self.nan]
        return list(dict.fromkeys(positive + [code | self.sign for code in positive]))


@dataclasses.dataclass(frozen=True)
class Scale:
    """f8E8M0FNU: powers of two from 2^-127 on, and NaN."""
    name: str = "f8E8M0FNU"
    bits: int = 8
    nan: int = 255

    def decode(self, code):
        return NAN if code == self.nan else Fraction(2) ** (code - 127)

    def edges(self):
        return list(range(256))

    def encode(self, number, mode):
        """Of a positive number within the range, and no tie; None of all others, but for NaN."""
        if number == NAN:
            return self.nan
        if not isinstance(number, Fraction) or not Fraction(2) ** -127 <= number <= Fraction(2) ** 127:
            return None
        exponent = floor_log2(number)
        part = number / Fraction(2) ** exponent
        if mode == NEAREST and part == Fraction(3, 2):
            return None
        return exponent + 127 + (mode == UP and part > 1 or mode == NEAREST and part > Fraction(3, 2))


INTS = {t.name: t for t in (Int("i1", 1), Int("i4", 4), Int("i8", 8), Int("i16", 16), Int("i32", 32), Int("i64", 64))}
FLOATS = {t.name: t for t in (
    Float("f16", 5, 10), Float("bf16", 8, 7), Float("f32", 8, 23), Float("f64", 11, 52), Float("tf32", 8, 10, padding=13),
    Float("f8E4M3FN", 4, 3, "fn"), Float("f8E5M2", 5, 2), Float("f4E2M1FN", 2, 1, "finite"))}
FORMATS = {**INTS, **FLOATS, "f8E8M0FNU": Scale()}
ARITHMETIC_INTS = ("i1", "i8", "i16", "i32", "i64")
ARITHMETIC_FLOATS = ("f16", "bf16", "f32", "f64")


def is_nan(name, code):
    return name not in INTS and FORMATS[name].decode(code) == NAN
