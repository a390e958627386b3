"""Reads C++ as text, for tools/tidy: what is code, and where a function begins and ends.

No compiler: it knows the layout that tools/format gives the code, and that is enough to count with.
"""
import re


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def blank(match):
    """The same shape without the content: line numbers stay true. Quotes stay, for includes do."""
    text = match.group(0)
    if text.startswith("/"):
        return re.sub(r"[^\n]", " ", text)
    if text.startswith("#"):
        return text
    return text[0] + re.sub(r"[^\n]", " ", text[1:-1]) + text[-1]


TOKENS = re.compile(r'#[ \t]*include[^\n]*|//[^\n]*|/\*.*?\*/|R"([^\s()\\]{0,16})\(.*?\)\1"'
                    r'|"(?:[^"\\\n]|\\.)*"|(?<![0-9a-fA-F])\'(?:[^\'\\\n]|\\.)+\'', re.S)


def without_comments(text):
    return TOKENS.sub(blank, text)


def without_directives(code):
    """Without #include, #define and the like, over several lines too."""
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: re.sub(r"[^\n]", " ", m.group(0)), code, flags=re.M)


FUNCTION_END = re.compile(r"(\)|\bconst|\bnoexcept|\boverride|\bfinal|\bmutable|&|\btry|->[^;{}()]*|\brequires\b[^;{}]*)\s*$")
NO_FUNCTION = re.compile(r"^\s*(if|for|while|switch|catch|else|do|namespace|enum|return)\b|=\s*$"
                         r"|\b(class|struct|union)\s+\w+[^()]*$")
INITIALIZERS = re.compile(r"\)\s*(noexcept\s*)?:(?!:)")
NAME = re.compile(r"((?:TEST|TEST_F|TEST_P|RC_GTEST\w*)\s*\([^)]*\)|operator\s*\S{1,3}|~?[\w:]+)\s*(?:<[^<>()]*>)?\s*\(")


def functions(code):
    """(name, first line, length) of each function body, found by its braces; what is nested is part of it."""
    code = without_directives(code)
    start, depth, body, skip_until = 0, 0, None, None
    for match in re.finditer(r"[{};]|\b(?:public|private|protected)\s*:(?!:)", code):
        token, at = match.group(0), match.start()
        header = code[start:at]
        if token == "{":
            depth += 1
            if body is None and skip_until is None:
                in_arguments = header.count("(") > header.count(")")
                if in_arguments or (INITIALIZERS.search(header) and re.search(r"[\w>]\s*$", header)):
                    skip_until = depth  # f(X x = {}) or a_{1} in an initializer list: the body is still to come
                elif is_function(header):
                    body = (depth, start + len(header) - len(header.lstrip()), header)
        elif token == "}":
            if body and body[0] == depth:
                first = line_of(code, body[1])
                yield function_name(body[2]), first, line_of(code, at) - first + 1
                body = None
            if skip_until == depth:
                skip_until = None
                depth -= 1
                continue
            depth -= 1
        if body is None and skip_until is None:
            start = match.end()


def is_function(header):
    if NO_FUNCTION.search(header) or "(" not in header:
        return False
    return bool(FUNCTION_END.search(header) or (INITIALIZERS.search(header) and header.rstrip().endswith("}")))


def function_name(header):
    header = re.sub(r"\b(noexcept|explicit|alignas|decltype|requires)\s*\([^()]*\)", " ", header)
    match = NAME.search(header)
    return re.sub(r"\s+", "", match.group(1)) if match else "unnamed"
