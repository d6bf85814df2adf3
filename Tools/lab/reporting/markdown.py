"""Tables and numbers in the pages' format."""

NONE = "–"


def table(header, rows):
    """The lines of a table; cells are strings."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def number(value, digits, unit="", factor=1):
    return NONE if value is None else f"{value * factor:.{digits}f}{unit and ' ' + unit}"


def percent(value, digits=1):
    return number(value, digits, "%", 100)


def verdict(met):
    return {True: "met", False: "**missed**", None: NONE}[met]


def commit(result):
    return f"`{result['commit']}`"
