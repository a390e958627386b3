#!/usr/bin/env python3
"""Decodes tests/wire/corpus/ from the tables of src/wire/WIRE_FORMAT.md, and from nothing else.

Then it breaks the tables, one number or one code at a time, and expects to notice: a corpus that does not need a
row of a table proves nothing about it.
"""
import json
import os
import re
import struct
import sys
from math import floor
from pathlib import Path

ROOT = Path(os.environ.get("FRAY_SOURCE_DIR", Path(__file__).resolve().parents[2]))
DOCUMENT = ROOT / "src/wire/WIRE_FORMAT.md"
CORPUS = ROOT / "tests/wire/corpus"
COLUMNS = ["field", "read", "repeat", "when", "must"]


class Refused(Exception):
    """The bytes are no such value."""


class Record(dict):
    """A dictionary whose entries are attributes, as the document writes them."""

    __getattr__ = dict.__getitem__


def record(**fields):
    return Record(fields)


FUNCTIONS = {"bits_for": lambda n: n.bit_length(), "floor": floor, "min": min, "max": max, "abs": abs, "len": len,
             "sum": sum, "any": any, "range": range, "record": record, "__builtins__": {}}


class Bits:
    def __init__(self, data, count):
        self.number = int.from_bytes(data, "little")
        self.count = count
        self.at = 0

    def take(self, count):
        if count < 0 or self.at + count > self.count:
            raise Refused("the bits end")
        value = (self.number >> self.at) & ((1 << count) - 1)
        self.at += count
        return value


# --- The document -----------------------------------------------------------------------------------

def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def parse(text):
    """The tables by name, and the rows of the class codes. Tables with other columns explain, and are skipped."""
    tables, codes, name, header = {}, [], None, None
    for line in text.splitlines():
        if not line.startswith("|"):
            header = None
        if line.startswith("#"):
            heading = re.match(r"### `(\w+)\(([^)]*)\)`$", line)
            name = heading.group(1) if heading else None
            if heading:
                parameters = [p.strip() for p in heading.group(2).split(",") if p.strip()]
                tables[name] = {"parameters": parameters, "rows": []}
        elif line.startswith("|") and header is None:
            header = cells(line)
        elif line.startswith("|") and not line.startswith("|---"):
            row = cells(line)
            assert len(row) == len(header), line
            if header == COLUMNS and name:
                tables[name]["rows"].append(dict(zip(COLUMNS, row)))
            elif header[:2] == ["row", "used for"]:
                assert int(row[0]) == len(codes), line
                codes.append(row[2:])
    return tables, codes


# --- The decoder ------------------------------------------------------------------------------------

class Decoder:
    def __init__(self, tables, codes):
        self.tables = tables
        self.codes = [{code: number for number, code in enumerate(row)} for row in codes]
        self.compiled = {}
        self.used_codes = set()
        self.used_rows = set()

    def evaluate(self, text, names):
        if text not in self.compiled:
            self.compiled[text] = compile(text, text, "eval")
        return eval(self.compiled[text], {**FUNCTIONS, **names})

    def code(self, row, bits):
        prefix = ""
        while prefix not in self.codes[row]:
            prefix += str(bits.take(1))
        self.used_codes.add((row, self.codes[row][prefix]))
        return self.codes[row][prefix]

    def read(self, text, names, bits):
        if text.startswith("="):
            return self.evaluate(text[1:].strip(), names)
        call = re.match(r"(\w+)\((.*)\)$", text)
        if call and call.group(1) in self.tables:
            return self.table(call.group(1), self.evaluate(f"[{call.group(2)}]", names), bits)
        if call and call.group(1) == "code":
            return self.code(self.evaluate(call.group(2), names), bits)
        return bits.take(self.evaluate(text, names))

    def table(self, name, arguments, bits):
        table = self.tables[name]
        assert len(arguments) == len(table["parameters"]), name
        names = dict(zip(table["parameters"], arguments))
        fields = Record()
        for number, row in enumerate(table["rows"]):
            field = row["field"]
            names["left"] = bits.count - bits.at
            if row["when"] and not self.evaluate(row["when"], names):
                names[field] = fields[field] = [] if row["repeat"] else 0
                continue
            self.used_rows.add((name, number))
            if row["repeat"]:
                count = self.evaluate(row["repeat"], names)
                value = [self.read(row["read"], {**names, "i": i}, bits) for i in range(count)]
            else:
                value = self.read(row["read"], names, bits)
            names[field] = fields[field] = value
            if row["must"] and not self.evaluate(row["must"], names):
                raise Refused(f"{name}: {row['must']}")
        return fields.get("value", fields)


# --- The corpus -------------------------------------------------------------------------------------

def as_records(value):
    if isinstance(value, dict):
        return Record({key: as_records(entry) for key, entry in value.items()})
    return [as_records(entry) for entry in value] if isinstance(value, list) else value


def single(value):
    """Real numbers are rounded to single precision on both sides."""
    return struct.unpack("f", struct.pack("f", value))[0] if isinstance(value, float) else value


def load_corpus():
    """Cases as (file, table, arguments, bits, expected); expected is None if the bytes must be rejected."""
    cases = []
    for path in sorted(CORPUS.glob("*.json")):
        content = as_records(json.loads(path.read_text()))
        for case in content.cases:
            cases.append((path.name, content.table, content.get("world"), case))
    return cases


def decode(decoder, case):
    _, table, world, given = case
    bits = Bits(bytes.fromhex(given.hex), given.bits)
    arguments = list(given.arguments)
    if world is not None:
        arguments.insert(0, decoder.table("grid", [world], bits))
    value = decoder.table(table, arguments, bits)
    if bits.at != bits.count:
        raise Refused(f"{bits.count - bits.at} bits are left")
    return value


def complaint(decoder, case):
    """What is wrong with a case, or nothing."""
    expected = case[3].get("value")
    try:
        value = decode(decoder, case)
    except Refused as refusal:
        return None if expected is None else f"refused: {refusal}"
    if expected is None:
        return f"accepted as {value}"
    return None if single(value) == single(expected) else f"decoded as {value}"


def check(tables, codes, cases):
    decoder = Decoder(tables, codes)
    wrong = [(case, what) for case in cases if (what := complaint(decoder, case))]
    return decoder, wrong


# --- Breaking the tables ----------------------------------------------------------------------------

def mutants(tables, codes):
    """Every whole number in a table one larger, every two neighbouring codes of equal use exchanged."""
    for name, table in tables.items():
        for index, row in enumerate(table["rows"]):
            for column in COLUMNS[1:]:
                for match in re.finditer(r"(?<![\w.])\d+(?![\w.])", row[column]):
                    text = row[column]
                    changed = text[:match.start()] + str(int(match.group()) + 1) + text[match.end():]
                    rows = [*table["rows"]]
                    rows[index] = {**row, column: changed}
                    where = f"{name}, row {row['field']}, {column}: {text} -> {changed}"
                    yield where, name, {**tables, name: {**table, "rows": rows}}, codes
    for number, row in enumerate(codes):
        for left in range(len(row) - 1):
            changed = [*row]
            changed[left], changed[left + 1] = row[left + 1], row[left]
            where = f"class codes, row {number}: classes {left} and {left + 1} exchanged"
            yield where, number, tables, [*codes[:number], changed, *codes[number + 1:]]


def cases_by_part(tables, codes, cases):
    """The cases that need a table (by name) or a row of the class codes (by number)."""
    users = {}
    for case in cases:
        decoder, _ = check(tables, codes, [case])
        for part in {name for name, _ in decoder.used_rows} | {row for row, _ in decoder.used_codes}:
            users.setdefault(part, []).append(case)
    return users


def survives(tables, codes, cases):
    decoder = Decoder(tables, codes)
    try:
        return all(complaint(decoder, case) is None for case in cases)
    except (ArithmeticError, AttributeError, LookupError, ValueError, TypeError, RecursionError, MemoryError):
        return False


# Changes after which the same bytes still mean the same, and why.
EQUIVALENT = {
    "pose_delta, row span": "a microsecond moves nothing by a step",
    "pose_delta, row w_": "nor does a two-millionth",
    "predicted, row there, read: = start + (move + 32768)": "nor does 1/65536 of a step",
    "grid, row rate": "the largest rate is only there to bound the products",
    "-> = there % round if round > 1": "a round of one step has nothing to read",
    "-> = sum_ % round if round > 1": "a round of one step has nothing to read",
    "round // 2 if round > 1": "a round of one step has nothing to read",
    "difference, row rest, when: 1 <= size <= 14 -> 2": "class 1 has no further bits",
    "difference, row change, when: 1 <= size <= 14 -> 1 <= size <= 15": "class 15 has no use for it",
    "payload_value, row fixed, when": "a field without bits",
    "payload_change, row variable, when: changed == 1 and width < 0 -> changed == 1 and width < 1": "never changed",
    "payload_change, row result, must: width < 0 or": "a field without bits is always 0",
}


def main():
    tables, codes = parse(DOCUMENT.read_text())
    cases = load_corpus()
    decoder, wrong = check(tables, codes, cases)
    for case, what in wrong[:20]:
        print(f"{case[0]}: {json.dumps(case[3])}: {what}")
    unused = [f"{name}: {table['rows'][i]['field']}" for name, table in tables.items()
              for i in range(len(table["rows"])) if (name, i) not in decoder.used_rows]
    unused += [f"class code row {row}, class {c}" for row in range(len(codes)) for c in range(len(codes[row]))
               if (row, c) not in decoder.used_codes]
    for row in unused:
        print(f"no case of the corpus needs {row}")
    if wrong or unused:
        return 1
    users = cases_by_part(tables, codes, cases)
    broken = [mutant for mutant in mutants(tables, codes) if not any(start in mutant[0] for start in EQUIVALENT)]
    alive = [where for where, part, *changed in broken if survives(*changed, users.get(part, []))]
    for where in alive:
        print(f"a wrong table went unnoticed: {where}")
    print(f"{len(cases)} cases decoded from {len(tables)} tables; {len(broken) - len(alive)} of {len(broken)} broken "
          "tables noticed")
    return 1 if alive or not broken else 0


if __name__ == "__main__":
    sys.exit(main())
