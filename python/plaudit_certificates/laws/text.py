"""Laws as a certificate states them (docs/certificates.md, "Laws"): a name and exact numbers. Long lists of numbers stand
there by their SHA-256."""
import hashlib

from ..specs.grammar import printed

MOST_BITS_IN_FULL = 2048


def hexadecimal(x):
    """In lowest terms, with lower-case digits."""
    return f"{x.numerator:x}" + ("" if x.denominator == 1 else f"/{x.denominator:x}")


def of_numbers(numbers):
    """"1/2 3", or "1001 numbers, SHA-256 ..."."""
    if sum(x.numerator.bit_length() + x.denominator.bit_length() for x in numbers) <= MOST_BITS_IN_FULL:
        return " ".join(map(printed, numbers))
    digest = hashlib.sha256(" ".join(map(hexadecimal, numbers)).encode()).hexdigest()
    return f"{len(numbers)} number{'' if len(numbers) == 1 else 's'}, SHA-256 {digest}"


def of_number(number):
    return of_numbers([number])


def of_law(name, *parameters):
    """NAME(key = value; key = value)."""
    return f"{name}(" + "; ".join(f"{key} = {value}" for key, value in parameters) + ")"
