"""Formulas of the proofs, which are plain text in the Markdown, as TeX for the site.

Word by word: eps becomes \\varepsilon, <= becomes \\le, e^(-t eps) becomes e^{-t \\varepsilon}. Nothing
is moved, left out or understood, so a formula means on the site what it means in the file;
`plain` undoes the change, and tests/python/test_docs.py compares. What is not certainly a formula
stays as it is.
"""
import re

GREEK = ("alpha beta gamma delta lambda mu nu pi rho sigma tau theta phi psi omega eta zeta kappa xi "
         "chi Gamma Delta Phi Psi Sigma Lambda Omega Theta").split()
NAMES = {name: "\\" + name for name in GREEK}
NAMES.update(eps=r"\varepsilon", epsilon=r"\varepsilon", inf=r"\infty", sum=r"\sum", int=r"\int",
             prod=r"\prod")
# Words of formulas; `inf` is infinity in these pages.
FUNCTIONS = ("log exp sqrt max min sup sin cos tan sinh cosh tanh arctan erfc arg Re Im fl KL Var sign "
             "floor ceil mod ess round log2 lcm gcd").split()
BUILT_IN = {"log", "exp", "max", "min", "sup", "sin", "cos", "tan", "sinh", "cosh", "tanh", "arg"}
RELATIONS = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne", "->": r"\to", "+-": r"\pm", ":=": r"\mathrel{:=}",
             "||": r"\|", "...": r"\dots", "~": r"\sim", "<": "<", ">": ">", "=": "=", "+": "+", "-": "-",
             "/": "/", "|": r"\vert", "*": "*", "!": "!", ",": ",", ":": ":", ";": ";", ".": "."}
OPEN, CLOSE = {"(": "(", "[": "[", "{": r"\{"}, {")": ")", "]": "]", "}": r"\}"}
CLOSED_BY = {"(": ")]", "[": "])", "{": "}"}  # intervals may be half open
ENGLISH = set("""a an and are as at be but by do for from has have if in is it its let no not of on or per so
the then to we all any each else end few its less least may more most must off one only out two that this
they with with than when where which while both does even ever same such what who yes use used says""".split())
TOKEN = re.compile(r"""
    (?P<space>\s+)
  | (?P<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![A-Za-z]))
  | (?P<name>(?<![A-Za-z])[A-Za-z]\d*'+(?=[A-Za-rt-z](?![A-Za-z]))|[A-Za-z]+\d*(?:'+(?![A-Za-z]))?)
  | (?P<relation><=|>=|!=|->|\+-|:=|\|\||\.\.\.|[~<>=+\-/|*!,:;.])
  | (?P<digits>\d+)
  | (?P<open>[(\[{]) | (?P<close>[)\]}])
  | (?P<script>[\^_])
""", re.VERBOSE)


class NoFormula(ValueError):
    """Something stands here that formulas do not have."""


def tokens(text):
    at, result = 0, []
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise NoFormula(text[at:at + 20])
        result.append((match.lastgroup, match.group()))
        at = match.end()
    return result


def name_as_tex(name, display, imaginary=False, exponent=False):
    stem = name.rstrip("'")
    primes = name[len(stem):]
    letters = stem.rstrip("0123456789")
    digits = stem[len(letters):]
    if stem in ("log2",):
        return r"\log_2" + primes
    if letters in NAMES:
        tex = NAMES[letters]
    elif letters in FUNCTIONS:
        tex = "\\" + letters if letters in BUILT_IN else rf"\operatorname{{{letters}}}"
    elif len(letters) == 1:
        tex = letters
    elif letters == "is" and imaginary or exponent and letters.lower() not in ENGLISH and len(letters) < 6:
        tex = letters
    elif letters.lower() in ENGLISH or len(letters) > 3:
        if not display or primes or digits:
            raise NoFormula(letters)
        return rf"\text{{ {letters} }}"
    else:
        tex = letters  # a product, as in az
    if digits:
        tex += f"_{digits}" if len(digits) == 1 else f"_{{{digits}}}"
    return f"{{{tex}{primes}}}" if primes else tex


class Converter:
    def __init__(self, text, display):
        self.tokens, self.at, self.display, self.exponents = tokens(text), 0, display, 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else (None, None)

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def sequence(self, closing=None):
        parts, last = [], None
        while True:
            kind, text = self.peek()
            if kind is None:
                if closing:
                    raise NoFormula("unbalanced")
                return "".join(parts)
            if kind == "close":
                if text not in (closing or ""):
                    raise NoFormula("unbalanced")
                self.closed = text
                self.next()
                return "".join(parts)
            self.next()
            if kind == "space":
                # Factors side by side keep their distance; TeX spaces operators itself.
                if last in ("name", "number", "group") and \
                        self.peek()[0] in ("name", "number", "open"):
                    parts.append(r"\, ")
                else:
                    parts.append(" ")
                continue
            if kind == "script":
                if not parts or last is None:
                    raise NoFormula("script without a base")
                body = self.script(upper=text == "^")
                # m0^2 and x'_k: both scripts belong to the same letter.
                if text == "_" and re.search(r"_\{?[^{}]*\}?$", parts[-1]):
                    raise NoFormula("two subscripts")
                parts.append(f"{text}{{{body}}}")
                last = "group"
                continue
            if text == "*" and last == "name" and self.tokens[self.at - 2][0] == "name" and \
                    self.peek()[0] in (None, "space", "close"):
                parts.append("^{*}")  # delta*, a name
                last = "name"
                continue
            if kind == "name" and text == "sqrt":
                parts.append(self.root())
                last = "group"
                continue
            parts.append(self.atom(kind, text))
            last = "group" if kind == "open" else kind
            if kind == "name" and (text in FUNCTIONS or text in ("sum", "int", "prod")):
                last = "function"

    def atom(self, kind, text):
        if kind in ("number", "digits"):
            mantissa, _, power = text.partition("e")
            if not power:
                return text
            if mantissa == "1":
                return f"{{10}}^{{{power}}}"
            return rf"{mantissa}\cdot {{10}}^{{{power}}}"
        if kind == "name":
            signs = [each for each in self.tokens[max(0, self.at - 3):self.at - 1] if each[0] != "space"]
            tex = name_as_tex(text, self.display, signs[-1:] in ([("relation", "+")], [("relation", "-")]),
                              self.exponents > 0)
            return tex + " " if tex.startswith("\\") and tex[-1].isalpha() else tex
        if kind == "relation":
            if text == ",":
                return ", "
            tex = RELATIONS[text]
            return tex + " " if tex[-1].isalpha() else tex
        if kind == "open":
            inner = self.sequence(CLOSED_BY[text])
            if text == "[" and not inner.strip():
                return r"\square "
            return OPEN[text] + inner + CLOSE[self.closed]
        raise NoFormula(text)

    def root(self):
        """What stands under a root: a group without its parentheses, or one atom."""
        if self.peek()[0] == "space":
            self.next()
        kind, text = self.peek()
        if kind not in ("open", "name", "number", "digits") or text == "[":
            raise NoFormula("sqrt")
        self.next()
        if kind == "open":
            return rf"\sqrt{{{self.sequence(')' if text == '(' else '}').strip()}}}"
        return rf"\sqrt{{{self.atom(kind, text).strip()}}}"

    def script(self, upper=False):
        """What a ^ or _ raises or lowers: a group without its parentheses, or one atom."""
        kind, text = self.peek()
        sign = ""
        if kind == "relation" and text in ("-", "+", "*"):
            self.next()
            sign = text
            kind, text = self.peek()
            if kind not in ("number", "digits", "name", "open") and text != "|":
                if sign in ("+", "*") or not upper:
                    return sign
                raise NoFormula("script")
            if sign == "*":
                return sign
        if kind == "open" and text in "({" and not sign:
            self.next()
            self.exponents += upper
            inner = self.sequence(")" if text == "(" else "}").strip()
            self.exponents -= upper
            return inner
        if kind == "open":
            self.next()
            return sign + self.atom(kind, text)
        if text == "|":  # r^|k|
            self.next()
            parts = []
            while self.peek()[1] != "|":
                if self.peek()[0] not in ("name", "number", "relation", "space"):
                    raise NoFormula("script")
                parts.append(self.atom(*self.next()) if self.peek()[0] != "space" else self.next()[1])
            self.next()
            return rf"{sign}\vert {''.join(parts)}\vert "
        if kind not in ("number", "digits", "name"):
            raise NoFormula("script")
        self.next()
        if kind == "name" and text.isalpha() and len(text) > 1 and text not in NAMES:
            return rf"{sign}\mathrm{{{text}}}"
        result = sign + self.atom(kind, text).strip()
        if upper and self.peek() == ("script", "_"):  # p^k_i: the power is k_i
            self.next()
            result += f"_{{{self.script()}}}"
        return result


def tex(text, display=False):
    """A formula of the pages as TeX. :raises NoFormula: where it is none."""
    return re.sub(r" +", " ", Converter(text, display).sequence()).strip()


def plain(text):
    """What `tex` was given, but for spaces and for the parentheses of scripts, which are {} here."""
    inverse = {value: key for key, value in NAMES.items() if key != "epsilon"}
    inverse.update({value: key for key, value in RELATIONS.items() if value.startswith("\\")})
    text = re.sub(r"\\(?:operatorname|mathrm)\{(\w+)\}", r"\1", text)
    text = re.sub(r"\\text\{ (\w+) \}", r"\1", text)
    text = text.replace(r"\mathrel{:=}", ":=").replace(r"\square", "[]").replace(r"\log_2", "log2")
    text = re.sub(r"\\cdot \{10\}\^\{([-+]?\d+)\}", r"e\1", text)
    text = re.sub(r"\{10\}\^\{([-+]?\d+)\}", r"1e\1", text)
    text = text.replace("^{*}", "*")
    text = re.sub(r"\\([A-Za-z]+|\|)", lambda m: inverse.get(m.group(0), m.group(1)), text)
    return re.sub(r"\\,|\\(?=[{}])", "", text)


# ---- Formulas in prose

WORD = re.compile(r"[A-Za-z][\w.'’-]*|\d[\w.]*")
STRONG = set(GREEK) | {"eps"}
# What a span may not start or end with.
GLUE = " ,.:;"
SPAN_TOKEN = re.compile(r"""
    (?P<space>\s+)
  | (?P<skip>'s\b|[A-Z]\.(?=\s+[A-Z])|[A-Z]\.[A-Z]\.?|\d+\.[A-Z]\b|(?<![\w\]])\([A-Z]\d*\)|[A-Za-z]+-[A-Za-z]\w+|[a-z]{3,}_(?!inf|max|min|first|last)[a-z_]{3,}\w*|[\w-]+\.(?:md|hpp|cpp)\S*|arXiv\s\S+)
  | (?P<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![A-Za-z]))
  | (?P<name>(?:delta|eps|(?<![A-Za-z])[xyk])\*(?![\w*])|(?<![A-Za-z])[A-Za-z]\d*'+(?=[A-Za-rt-z](?![A-Za-z]))|[A-Za-z]+\d*(?:'+(?![A-Za-z]))?)
  | (?P<relation><=|>=|!=|->|\+-|:=|\|\||\.\.\.|[<>=+/|!,;:]|-(?![A-Za-z]{4,})|(?<=\s)\*(?=\s))
  | (?P<digits>\d+)
  | (?P<open>[(\[{]) | (?P<close>[)\]}])
  | (?P<script>[\^_])
  | (?P<other>.)
""", re.VERBOSE | re.DOTALL)


def is_letter(name):
    """A variable: one letter, perhaps with digits or primes."""
    return bool(re.fullmatch(r"[A-Za-z]\d*'*", name)) and name not in ("a", "I")


def belongs(kind, text, before, after):
    """Whether a token may be part of a formula: 2 says it makes one, 1 that it may be in one."""
    if kind in ("space", "number", "digits", "open", "close"):
        return 1
    if kind in ("relation", "script"):
        return 2 if text not in (",", ";", ":", "-", "/", "!", "...", "|") else 1
    if kind == "name":
        stem = re.sub(r"\d*'*$", "", text)
        if re.search(r"[\^_]-?$", before):
            return 2
        if text in ("a", "A"):
            return 2 if re.match(r"\s*([=^_)<>*/+|]|-\s)|\s+-\d|\s+(sin|cos|log|sqrt|pi|tau)\b|[,;](?=[^.]*\))|\s?\((?![a-z]{2})", after) or \
                re.search(r"[\w)]\s*[-=<>*/+^_|]\s*$|[(\[]-$|\^\($|[(,]\s*$(?<!\s\()", before) and \
                not re.match(r"\s+(?!for\b|and\b|if\b|in\b|or\b|is\b|with\b|sin|cos|log)[a-z]{2}", after) else 0
        if is_letter(text):
            return 2
        if stem.rstrip("*") in STRONG or text.endswith("*"):
            return 2
        if text == "is":  # t + is, i the imaginary unit
            return 2 if re.search(r"[\w)] [+-] $", before) and not re.match(r"\s+[a-z]{2}", after) else 0
        if re.fullmatch(r"d[a-zPQL]", text) or (text == "epsilon" and after[:1] == "("):
            return 2
        if stem in FUNCTIONS or stem in ("sum", "int", "prod"):
            return 1 if re.match(r"\s*[(_|]|\s+[A-Za-z](?![A-Za-z]|\s[a-z]{2})|\s+(\d|sum|log|exp|delta|eps)", after) else 0
        if stem == "inf":
            return 1 if re.match(r"\s*[\])]", after) or re.search(r"[<>=(+\-/^_,\[]\s*$", before) else 0
        # A product such as az, next to something of a formula.
        if re.search(r"\^\(-?$", before) and text.lower() not in ENGLISH and len(text) <= 5:
            return 1
        if len(text) <= 3 and text.isalpha() and (text.lower() not in ENGLISH or after[:1] == "_") and \
                (re.search(r"[\^_(/+-]$|[\w)] [+-] $", before) or re.match(r"[\^_)/(]", after)):
            return 1
    return 0


def balanced(part):
    """The longest balanced stretches of a list of tokens."""
    stack, cuts = [], set()
    for i, (kind, text) in enumerate(part):
        if kind == "open":
            stack.append(i)
        elif kind == "close":
            if stack and text in CLOSED_BY[part[stack[-1]][1]]:
                stack.pop()
            else:
                cuts.add(i)
    cuts.update(stack)
    # A comma with a space outside of all brackets separates formulas.
    depth = 0
    for i, (kind, text) in enumerate(part):
        if i in cuts:
            continue
        depth += (kind == "open") - (kind == "close")
        # Nothing is multiplied by infinity: "at -inf delta <= m0" are two formulas.
        if text == "inf" and part[i + 1:i + 2] and part[i + 1][0] == "space" and part[i + 2:i + 3] and \
                (part[i + 2][0] in ("name", "number", "open") or part[i + 2][1] in ("|", "-")):
            cuts.add(i + 1)
        if depth == 0 and (text in (";", ":") or text == "," and part[i + 1:i + 2] and
                           part[i + 1][0] == "space"):
            cuts.add(i)
    pieces, current = [], []
    for i, token in enumerate(part):
        if i in cuts:
            pieces += [current, [token]]
            current = []
        else:
            current.append(token)
    return pieces + [current]


SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "+-": "±"}  # beside words


def typeset_piece(part):
    """The text of some tokens, with a formula in dollars where they are one."""
    start, end = 0, len(part)
    while start < end and (part[start][0] == "space" or part[start][0] == "relation" and not (
            part[start][1] in ("-", "+", "|", "||") and part[start + 1:start + 2] and
            part[start + 1][0] != "space")):
        start += 1
    while end > start and (part[end - 1][0] == "space" or
                           part[end - 1][0] == "relation" and part[end - 1][1] not in ("|", "||", "!") and
                           part[end - 2][0] != "script"):
        end -= 1
    if sum(text == "|" for _, text in part[start:end]) == 1 and part[start][1] == "|":
        start += 1
    before = "".join(text for _, text in part[:start])
    after = "".join(text for _, text in part[end:])
    body = "".join(text for _, text in part[start:end])
    marks = [2 if text in ("a", "A") else belongs(kind, text, " ", "(") for kind, text in part[start:end]]
    # A star that stays, as in delta*, is no mark of emphasis.
    kept = before + re.sub(r"(?<=\w)\*", r"\\*", body) + after
    if 2 not in marks and not re.search(r"[a-z]\*|\^|[+-]inf", body):
        return kept
    try:
        formula = tex(" ".join(body.split()))
    except NoFormula:
        return kept
    return f"{before}${formula}${after}"


def prose(text):
    """A paragraph with its formulas in dollars."""
    result, run = [], []
    everything = [(m.lastgroup, m.group(), m.start(), m.end()) for m in SPAN_TOKEN.finditer(text)]

    def flush():
        # A bare A or a number between words is none.
        for piece in balanced(run):
            result.append(typeset_piece(piece))
        run.clear()

    for kind, token, start, end in everything:
        if kind not in ("skip", "other") and \
                belongs(kind, token, text[max(0, start - 4):start], text[end:end + 12]):
            run.append((kind, token))
        else:
            flush()
            result.append(token)
    flush()
    return re.sub("|".join(map(re.escape, SIGNS)), lambda m: SIGNS[m.group()], "".join(result))


def block(lines):
    """An indented block as a displayed formula. :raises NoFormula: where it is something else."""
    rows, least = [], min(len(line) - len(line.lstrip()) for line in lines)
    for line in lines:
        if re.search(r"[\"`#$\\]|--|plaudit ", line):
            raise NoFormula(line)
        depth = len(line) - len(line.lstrip()) - least
        columns = re.split(r" {3,}", line.strip())
        number = ""
        if re.fullmatch(r"\(\w+\)", columns[-1]) and len(columns) > 1:
            number = rf" \qquad\text{{{columns.pop()}}}"
        row = r" \qquad ".join(tex(column, display=True) for column in columns) + number
        rows.append(r"\quad " * (depth // 2) + row)
    if len(rows) == 1:
        return f"$$\n{rows[0]}\n$$"
    return "$$\n\\begin{aligned}\n" + " \\\\\n".join("& " + row for row in rows) + "\n\\end{aligned}\n$$"


# Links, code, formulas in dollars, HTML and the marks of emphasis stay as they are.
KEPT = re.compile(r"(`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|\[[^\]]*\]\([^)]*\)|\[[^\]]*\]\[[^\]]*\]|<a id=[^>]*></a>|\*\*|"
                  r"(?<![\s(])(?<!delta)(?<!eps)(?<![\s(][xyk])\*(?=[\s.,:;)])|(?<=[\s(])\*(?=\S)|^\*(?=\S)|^#+ .*$|^\s*\d+\.\s|^\s*[-*]\s|"
                  r"^---.*$)", re.DOTALL | re.MULTILINE)
SPLIT = re.compile(r"(^(?:```|~~~).*?^(?:```|~~~)$)", re.DOTALL | re.MULTILINE)


def page(text):
    """A page of Markdown, its formulas as TeX."""
    out = []
    for i, part in enumerate(SPLIT.split(text)):
        out.append(part if i % 2 else _without_fences(part))
    return "".join(out)


def _paragraph(text):
    if text.lstrip().startswith("|"):  # a table: cell by cell
        cells = re.split(r"((?<!\\)\|)", text)
        return "".join(cell if i % 2 else _inline(cell) for i, cell in enumerate(cells))
    return _inline(text)


def _inline(text):
    return "".join(part if i % 2 else prose(part) for i, part in enumerate(KEPT.split(text)))


def _without_fences(text):
    lines, out, i = text.split("\n"), [], 0
    paragraph, in_list = [], 0

    def flush():
        if paragraph:
            out.append(_paragraph("\n".join(paragraph)))
            paragraph.clear()

    while i < len(lines):
        line = lines[i]
        indent = len(line) - len(line.lstrip())
        if not line.strip():
            flush()
            out.append(line)
            i += 1
            continue
        item = re.match(r"\s*(\d+\.|[-*])\s+", line)
        fresh = not paragraph
        if fresh and not item and indent < 2:
            in_list = 0
        if fresh and indent >= 4 + in_list and not item:
            chunk = []
            while i < len(lines) and lines[i].strip() and \
                    len(lines[i]) - len(lines[i].lstrip()) >= 4 + in_list:
                chunk.append(lines[i])
                i += 1
            try:
                formula = block(chunk)
                pad = " " * in_list
                out.append("\n".join(pad + each for each in formula.split("\n")))
            except NoFormula:
                out += chunk
            continue
        if item:
            flush()
            in_list = len(item.group())
        if re.match(r"#+ ", line):
            flush()
            out.append(line)
        else:
            paragraph.append(line)
        i += 1
    flush()
    return "\n".join(out)


def read(app, docname, source):
    if docname.startswith("proofs/"):
        source[0] = re.sub(r"(?<=[.\s:])\[\]$", "□", page(source[0]), flags=re.MULTILINE)


def setup(app):
    app.connect("source-read", read, priority=900)
    return {"parallel_read_safe": True}
