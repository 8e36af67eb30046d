"""The C++ reference: what the public headers say, in their order.

`<!-- header: NAME.hpp -->` on a page becomes the opening comment of api/plaudit/NAME.hpp and each of
its declarations with its comment. The headers are formatted by clang-format, so a declaration starts
in the first column and ends where one of its lines ends in `;` or `}` at the same depth.
"""
import re
from pathlib import Path

API = Path(__file__).resolve().parent.parent.parent / "api" / "plaudit"
MARK = re.compile(r"^<!-- header: (\w+\.hpp) -->$", re.MULTILINE)
NAME = re.compile(r"(?:class|struct|enum class|using)\s+(\w+)|\b(operator\S+|\w+)\s*\(")


def shown(code):
    """A declaration as its users see it: without what is private and without bodies."""
    code = re.sub(r"\n private:.*?(?=\n};|\n public:)", "", code, flags=re.DOTALL)
    # Initialisers and bodies of functions; `{ return x; }` and those of several lines.
    code = re.sub(r"\) (const |noexcept )?(?::[^;{}]*(?:\([^()]*\))?[^;{}]*)?\{[^{}]*\}(?=\n|$)",
                  lambda m: ")" + (" " + m.group(1).strip() if m.group(1) else "") + ";", code)
    return re.sub(r"\n+(?=\n};)", "", re.sub(r"\n{3,}", "\n\n", code))


def declarations(text):
    """("section", words), ("code", comment, code), ("end",) in their order."""
    comment, code, depth, section = [], [], 0, None
    for line in text.splitlines() + [""]:
        if not code:
            if line.startswith("// ---- "):
                section = [line[8:].strip()]
                continue
            if section and line.startswith("//") and not line.startswith("///"):
                section.append(line[2:].strip())
                continue
            if section:
                yield "section", section
                section = None
            if line.startswith("//"):
                comment.append(line.lstrip("/").removeprefix(" "))
                continue
            if not line.strip():
                yield ("end",)
                continue
            if re.match(r"(inline )?namespace\b|#|\}|[A-Z_]+\(|template <>$", line):
                comment = []
                continue
        code.append(line)
        depth += line.count("{") - line.count("}") + line.count("(") - line.count(")")
        if depth == 0 and line.split("//")[0].rstrip().endswith((";", "}")):
            yield "code", comment, "\n".join(code)
            comment, code = [], []


def names_of(code):
    head = re.sub(r"^template <.*?>\n(requires\(.*?\)\s*)?", "", code)
    match = NAME.search(head)
    return (match.group(1) or match.group(2)) if match else head.split()[-1].rstrip(";")


def markdown(name):
    lines = (API / name).read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line == "#pragma once")
    intro = [line[2:].removeprefix(" ") for line in lines[:start] if line.startswith("//")]
    parts = [f"## `<plaudit/{name}>`", ""]
    for block in re.split(r"\n\n+", "\n".join(intro)):
        if block.startswith("  "):
            parts += ["```cpp", re.sub(r"^  ", "", block, flags=re.MULTILINE), "```", ""]
        else:
            parts += [escaped(block), ""]
    pending = []  # declarations that follow one another without an empty line share a block

    def flush():
        if pending:
            comment, names = pending[0][0], list(dict.fromkeys(names_of(code) for _, code in pending))
            parts.extend([f"### {', '.join(f'`{each}`' for each in names[:4])}"
                          + (" and others" if len(names) > 4 else ""), "", escaped(" ".join(comment)), "",
                          "```cpp"])
            for i, (words, code) in enumerate(pending):
                if i and words:
                    parts.extend("/// " + word for word in words)
                parts.append(shown(code))
            parts.extend(["```", ""])
            pending.clear()

    for each in declarations("\n".join(lines[start + 1:])):
        if each[0] == "code":
            if re.match(r"(class|struct) \w+;", each[2]):
                continue
            if pending and each[1] and len(each[2].splitlines()) > 1:
                flush()
            pending.append(each[1:])
            continue
        flush()
        if each[0] == "section":
            words, *more = each[1]
            parts += [f"**{escaped(words[:1].upper() + words[1:]).rstrip('.:')}.** "
                      + escaped(" ".join(more).strip()), ""]
    flush()
    return "\n".join(parts)


def escaped(text):
    """Comments as prose: what Markdown would take for marks stays a word, pages become links."""
    text = re.sub(r"@param (\w+)", r"`\1`:", text).replace("@throws", "Throws")
    parts = re.split(r"(`[^`]*`)", text)
    parts[::2] = [re.sub(r"([<>*_$])", r"\\\1", part) for part in parts[::2]]
    return re.sub(r"docs/((?:[\w/]|\\_)+\.md)(#[\w-]+)?", lambda m: "[{0}{1}](../{0}{1})".format(
        m.group(1).replace("\\", ""), m.group(2) or ""), "".join(parts))


def read(app, docname, source):
    def header(match):
        app.env.note_dependency(str(API / match.group(1)))
        return markdown(match.group(1))

    if MARK.search(source[0]):
        source[0] = MARK.sub(header, source[0])


def setup(app):
    app.connect("source-read", read)
    return {"parallel_read_safe": True}
