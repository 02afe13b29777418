"""Spell a JSON number as another program writes the same float."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from decimal import Decimal
from enum import Enum
from functools import lru_cache

_INTEGER = re.compile(r"-?[0-9]+")
_ROUND = re.compile(r"-?[1-9][0-9]{0,7}0")  # shorter than times, which are no decimals
_MAX_DIGITS = 400  # longer spellings are no floats
_EXACT = 2**53  # beyond, floats do not hold every integer


class Program(Enum):
    """A program, by the spelling of its floats.

    Each value has the title; the exponents of ten from which and below which it writes an exponent; the text
    after a mantissa of one digit; the mark and the least digits of the exponent; and the text after a whole
    number.
    """

    JAVASCRIPT = ("JavaScript or Go", -7, 21, "", "e+", 1, "")
    PYTHON = ("Python", -5, 16, "", "e+", 2, ".0")
    PHP = ("PHP", -5, 17, ".0", "e+", 1, "")
    RUBY = ("Ruby", -5, 15, ".0", "e+", 2, ".0")
    JAVA = ("Java", -4, 7, ".0", "E", 1, ".0")
    DOTNET = (".NET", -5, 15, "", "E+", 2, "")
    PLAIN = ("a program without exponents", -400, 400, "", "e", 1, "")
    PLAIN_FLOAT = ("a program without exponents", -400, 400, "", "e", 1, ".0")

    @property
    def title(self) -> str:
        """Its name for people."""
        return self.value[0]

    def spell(self, token: str) -> str:
        """Return the number as this program writes a float; the token itself if it is an integer."""
        return token if _INTEGER.fullmatch(token) else self.spell_float(token)

    def spell_float(self, token: str) -> str:
        """Return the number as this program writes a float, even if it is written as an integer."""
        return _spelled(self, token)

    def _write(self, number: Decimal | None, token: str) -> str:
        if number is None:
            return token
        _, low, high, after_digit, mark, width, whole = self.value
        sign, digits, exponent = number.as_tuple()
        minus = "-" if sign else ""
        text = "".join(map(str, digits)).rstrip("0") or "0"
        if text == "0":
            return f"{minus}0{whole}"
        scale = len(digits) + int(exponent) - 1  # the exponent of ten of the first digit
        if low < scale < high:
            fixed = f"{number:f}"
            fixed = fixed.rstrip("0").rstrip(".") if "." in fixed else fixed
            return fixed if "." in fixed else fixed + whole
        mantissa = text[0] + ("." + text[1:] if text[1:] else after_digit)
        power = mark[0] + ("-" if scale < 0 else mark[1:]) + str(abs(scale)).rjust(width, "0")
        return minus + mantissa + power


@lru_cache(4096)  # many guesses need the same ones
def _spelled(program: Program, token: str) -> str:
    return program._write(_shortest(token), token)


def spellings(token: str) -> Iterator[tuple[Program | None, str]]:
    """Yield the spellings of one number, and the program of each; None for a float of 17 digits."""
    seen = {token}
    for program in Program:
        text = program.spell_float(token)
        if text not in seen:
            seen.add(text)
            yield program, text
    for text in (*_long(token), *_exponents(token), *_scientific(token)):
        if text not in seen:
            seen.add(text)
            yield None, text


def long_digits(token: str) -> str:
    """Return a number with a fraction in 17 digits, as PHP before 7.1 and C's ``%.17g`` write it."""
    return token if _INTEGER.fullmatch(token) else next(_long(token), token)


def without_zeros(token: str) -> str:
    """Return a whole number as Java writes a ``BigDecimal`` without trailing zeros: 1E+2 for 100."""
    return str(Decimal(token).normalize()) if _ROUND.fullmatch(token) else token


def rounded(token: str) -> tuple[int, ...]:
    """Return the integers that a JavaScript parser turns into this one; none if it was not rounded.

    Beyond 2^53 a float holds only some integers, and JavaScript writes the shortest digits that lead to the
    same float (ECMA-262, Number::toString).
    """
    if not _INTEGER.fullmatch(token) or not 16 <= len(token.lstrip("-")) <= 21:
        return ()
    number = int(token)
    if abs(number) <= _EXACT or Program.JAVASCRIPT.spell_float(token) != token:
        return ()
    center = int(float(number))
    reach = int(math.ulp(float(number)))
    same = range(center - reach, center + reach + 1)
    return tuple(value for value in same if value != number and float(value) == float(number))


def _shortest(token: str) -> Decimal | None:
    """Return the number with the shortest digits that lead to the same float; None if it is no float."""
    if len(token) > _MAX_DIGITS:
        return None
    value = float(token)
    return None if math.isinf(value) else Decimal(repr(value))


def _long(token: str) -> Iterator[str]:
    """Yield the number in 17 and in 15 digits, as a program with a fixed precision writes it."""
    if len(token) > _MAX_DIGITS or math.isinf(float(token)):
        return
    for digits in (17, 15, 16):
        yield Program.PHP._write(Decimal(f"{float(token):.{digits}g}"), token)
        yield f"{float(token):.{digits}g}"


def _scientific(token: str) -> Iterator[str]:
    """Yield a number without an exponent with one, and in the exact digits of its float."""
    number = _shortest(token)
    if number is None or not number or "e" in token.lower():
        return
    digits = "".join(map(str, number.as_tuple().digits)).rstrip("0")
    mantissa = ("-" if number < 0 else "") + digits[0] + ("." + digits[1:] if digits[1:] else "")
    yield from _exponents(f"{mantissa}e{number.adjusted()}")
    yield f"{Decimal(float(token)):f}"  # as Java's new BigDecimal(double)


def _exponents(token: str) -> Iterator[str]:
    """Yield other spellings of the same exponent."""
    match = re.fullmatch(r"(-?[0-9.]+)[eE]([+-]?)0*([0-9]+)", token)
    if match is None:
        return
    mantissa, sign, digits = match.groups()
    signs = ("-",) if sign == "-" else ("", "+")
    for number in (mantissa, mantissa + ".0" if "." not in mantissa else mantissa.removesuffix(".0")):
        for mark in "eE":
            for plus in signs:
                for width in (1, 2, 3):
                    yield f"{number}{mark}{plus}{digits.rjust(width, '0')}"
