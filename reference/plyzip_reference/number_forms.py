"""Values that are numbers in disguise (docs/format/tags.md)."""

import re

# No number has more than nine digits.
LARGEST = 1_000_000_000
MOST_FIELDS = 3


class Integer:
    """`2742`"""

    pattern = re.compile(rb"([0-9]{1,9})")

    @staticmethod
    def number(digits):
        return int(digits)

    @staticmethod
    def spell(number):
        return b"%d" % number if 0 <= number < LARGEST else None


class Signed:
    """`+5`, `-3`, `+0`"""

    pattern = re.compile(rb"([+-])([0-9]{1,9})")

    @staticmethod
    def number(sign, digits):
        return -int(digits) if sign == b"-" else int(digits)

    @staticmethod
    def spell(number):
        return b"%+d" % number if -LARGEST <= number < LARGEST else None


class Date:
    """`2023.07.01`, as days: all months have 31"""

    pattern = re.compile(rb"([0-9]{4})\.([0-9]{2})\.([0-9]{2})")

    @staticmethod
    def number(year, month, day):
        if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
            return None
        return (int(year) * 12 + int(month) - 1) * 31 + int(day) - 1

    @staticmethod
    def spell(number):
        if not 0 <= number < 10_000 * 12 * 31:
            return None
        months, day = divmod(number, 31)
        return b"%04d.%02d.%02d" % (months // 12, months % 12 + 1, day + 1)


class Time:
    """`00:01:59`, as seconds"""

    pattern = re.compile(rb"([0-9]{2}):([0-9]{2}):([0-9]{2})")

    @staticmethod
    def number(hours, minutes, seconds):
        if int(hours) >= 24 or int(minutes) >= 60 or int(seconds) >= 60:
            return None
        return (int(hours) * 60 + int(minutes)) * 60 + int(seconds)

    @staticmethod
    def spell(number):
        if not 0 <= number < 24 * 60 * 60:
            return None
        return b"%02d:%02d:%02d" % (number // 3600, number // 60 % 60, number % 60)


def read(form, value):
    """The number that a value spells in a form, if the form spells it likewise; else None."""
    match = form.pattern.fullmatch(value)
    number = form.number(*match.groups()) if match else None
    return number if number is not None and form.spell(number) == value else None


def dotted(value):
    """The numbers of a value like `10.3`, or None."""
    numbers = [read(Integer, field) for field in value.split(b".")]
    return numbers if len(numbers) <= MOST_FIELDS and None not in numbers else None


def spell_dotted(numbers):
    return b".".join(b"%d" % number for number in numbers)
