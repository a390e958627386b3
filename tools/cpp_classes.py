"""Counts the methods and members of C++ classes, for tools/tidy. It reads code without comments (tools/cpp_text.py).

    methods   Declared member functions: constructors, operators, static ones and templates too, each overload by
              itself. Not counted: what is defaulted or deleted, and friends.
    members   Fields, with those of unnamed structs and unions inside. Not counted: static ones, which are no state of
              an object, and inherited ones.
    files     Source files (.cpp) that define its methods.

A nested class is counted by itself, as Outer::Inner. A class within a function is part of that function.
"""
import re
from dataclasses import dataclass, field

from cpp_text import line_of, without_directives

PIECE = re.compile(r"[{}()\[\];]|\b(?:public|private|protected)\s*:(?!:)")
POINTER = re.compile(r"\s*(?:\w+\s*::\s*)*[*&]")  # how the brackets of void (*f)(int) or int (&a)[3] begin
OPERATOR = re.compile(r"\boperator\s*(?:\(\)|\[\]|\"\"\s*\w+|[-+*/%^&|~!=<>,]+|[\w:<>&*\s]+?)(?=\s*(?:<[^<>]*>)?\s*\()")
WITH_BRACKETS = re.compile(r"\b(?:alignas|explicit|noexcept|decltype|requires)\s*\(\)")
# These match what plain() returns: single spaces, and nothing in brackets.
NAMESPACE = re.compile(r'(?:inline )?namespace\b ?([\w:]*)$|extern " ?"$')
CLASS = re.compile(r"(?:(?:typedef|static|mutable|inline|constexpr|const) )*(class|struct|union)\b ?"
                   r"((?:\w+(?:::\w+)*)?)(?: ?final\b)? ?(?::(?!:)[^()={}]*)?$")
FUNCTION = re.compile(r"((?:\w+::)*~?\w+) ?\(\)")
INITIALIZERS = re.compile(r"\)[\w ]*:(?!:)")
NO_MEMBER = re.compile(r"(?:friend|using|typedef|static_assert|enum)\b|(?:class|struct|union) [\w:]+$|$")


@dataclass
class Class:
    name: str  # without its namespace
    path: str
    line: int
    methods: int = 0
    members: int = 0
    files: set = field(default_factory=set)
    is_data: bool = True  # its fields are public, and none of its methods but constructors changes them


@dataclass
class Declaration:
    head: str            # as plain() returns it
    at: int              # where it begins
    block: tuple = None  # where the inside of its { } begins and ends; of namespaces, classes and functions only
    tail: str = ""       # of a class: what stands between } and ;


def classes(sources):
    """Every class of these sources, {path: code without comments}."""
    found, definitions = {}, []
    for path, code in sources.items():
        reader = Reader(path, without_directives(code))
        for scope, one in reader.found:
            found.setdefault(scope, []).append(one)
        definitions += [(path, scope) for scope in reader.definitions if path.endswith(".cpp")]
    for path, scope in definitions:
        for one in found.get(scope, []):
            one.files.add(path)
    return [one for same_name in found.values() for one in same_name]


class Reader:
    """Finds the classes of one file, and the classes whose methods it defines."""

    def __init__(self, path, code):
        self.path = path
        self.code = code
        self.closing = pairs_of_brackets(code)
        self.found = []        # (scope, Class); a scope is the names of the namespaces and classes down to it
        self.definitions = []  # scopes of classes
        self.read_namespace((0, len(code)), ())

    def read_namespace(self, block, scope):
        for one in self.declarations(*block):
            namespace, function = NAMESPACE.match(one.head), function_in(one.head)
            if one.block and namespace:
                names = namespace.group(1)  # nothing for extern "C", empty for an unnamed one
                inner = () if names is None else tuple(names.split("::")) if names else (self.path,)
                self.read_namespace(one.block, scope + inner)
            elif one.block and CLASS.match(one.head):
                self.read_class(one, scope, "")
            elif function and "::" in function.group(1):
                self.definitions.append(scope + tuple(function.group(1).split("::")[:-1]))

    def read_class(self, declaration, scope, outer):
        keyword, name = CLASS.match(declaration.head).groups()
        one = Class(outer + name, self.path, line_of(self.code, declaration.at))
        scope += tuple(name.split("::"))
        self.found.append((scope, one))
        self.read_members(declaration.block, scope, one, keyword != "class")
        if one.methods and self.path.endswith(".cpp"):
            one.files.add(self.path)

    def read_members(self, block, scope, owner, is_public):
        for one in self.declarations(*block):
            nested = one.block and CLASS.match(one.head)
            if one.head.endswith(":"):
                is_public = one.head == "public:"
            elif nested and nested.group(2):
                self.read_class(one, scope, owner.name + "::")
                if one.tail:
                    count_fields(one.tail, owner, is_public)
            elif nested:
                self.read_members(one.block, scope, owner, is_public)
            elif NO_MEMBER.match(one.head):
                continue
            elif function_in(one.head):
                count_method(one.head, owner)
            else:
                count_fields(one.head, owner, is_public)

    def declarations(self, start, end):
        """What is declared between two positions, but not what is declared within that."""
        head, first, at = "", start, start
        while match := PIECE.search(self.code, at, end):
            head += self.code[at:match.start()]
            token, at = match.group(0), match.end()
            block, tail = None, ""
            if token in "([{":
                block = (at, self.closing.get(match.start(), end))
                at = block[1] + 1
                if token != "{" or not begins_block(plain(head)):
                    is_pointer = token == "(" and POINTER.match(self.code, *block)
                    head += "(*)" if is_pointer else {"(": "()", "[": "[]", "{": "{}"}[token]
                    continue
                if CLASS.match(plain(head)):
                    tail, at = self.code[at:end].split(";", 1)[0], self.code.find(";", at, end) + 1 or end
            elif token[0] == "p":
                head = token[:token.index(":")].strip() + ":"
            yield Declaration(plain(head), first + len(head) - len(head.lstrip()), block, plain(tail))
            head, first = "", at


def pairs_of_brackets(code):
    """{position of an opening bracket: position of the one that closes it}"""
    pairs, opened = {}, []
    for match in re.finditer(r"[()\[\]{}]", code):
        if match.group(0) in "([{":
            opened.append(match.start())
        elif opened:
            pairs[opened.pop()] = match.start()
    return pairs


def plain(head):
    """Without attributes, array bounds, template arguments and names of operators; one space between words."""
    head = re.sub(r"->|<<|\[\]", " ", OPERATOR.sub("operator_", head))
    while (shorter := re.sub(r"<[^<>]*>", " ", head)) != head:
        head = shorter
    head = re.sub(r"\b(template|__extension__)\b", " ", WITH_BRACKETS.sub(" ", head))
    return re.sub(r" ?:: ?", "::", " ".join(head.split()))


def begins_block(head):
    """Whether { begins a namespace, a class or the body of a function; else it begins a value or an enum."""
    if NAMESPACE.match(head) or CLASS.match(head):
        return True
    is_value = INITIALIZERS.search(head) and re.search(r"\w$", head)  # the a_{1} of a constructor
    return bool(function_in(head)) and not is_value


def function_in(head):
    """The name before the parameters; nothing where no function is declared."""
    declared = re.split(r"(?<!:):(?!:)", head.split("=")[0])[0]  # without value, initializers and width of a bit-field
    return None if declared.startswith(("using ", "typedef ", "static_assert")) else FUNCTION.search(declared)


def count_method(head, owner):
    if re.search(r"= ?(default|delete)$", head):
        return
    owner.methods += 1
    function = function_in(head)
    is_constructor = function.group(1) == owner.name.split("::")[-1]
    if not is_constructor and not re.search(r"\bstatic\b", head[:function.start()]):
        owner.is_data = owner.is_data and bool(re.match(r" ?const\b", head[function.end():]))


def count_fields(head, owner, is_public):
    if re.match(r"(\w+ )*static\b", head):
        return
    owner.members += 1 + re.sub(r"=[^,]*", "", head).count(",")
    owner.is_data = owner.is_data and is_public
