"""help, version, completion and man: all from one table of commands and options."""
import re
import shutil
import subprocess
import tempfile

from _program import expect, expect_refused, finish, run

overview = run("help")
expect(overview.status == 0 and overview.out == run("--help").out, "help is --help")
commands = re.search(r"command is needed: ([a-z, ]+) \(see", run().err).group(1).split(", ")
expect({"epsilon", "delta", "curve", "compare", "audit", "check", "list", "help", "version",
        "completion", "man"} <= set(commands), str(commands))
expect("EXAMPLES" in overview.out and "EXIT STATUS" in overview.out, "the sections of help")

options = {}
for name in commands:
    text = run("help", name)
    expect(text.status == 0 and text.out == run(name, "--help").out, f"help {name}")
    expect(re.search(r"^EXAMPLES\n  \S", text.out, re.M), f"{name} has no EXAMPLES")
    expect(name in overview.out, f"help does not name {name}")
    options[name] = set(re.findall(r"^\s+(?:-h,)?(--[a-z-]+)", text.out, re.M))
expect({"--delta", "--digits", "--json", "--plugin"} <= options["epsilon"], str(options["epsilon"]))
expect(all("--questions" not in o for o in options.values()), "a hidden option is shown")
expect_refused(["no command 'epsilom'", "(did you mean epsilon?)"], "help", "epsilom")
expect(run("version").out == run("--version").out != "", "version")

# Nearest names of commands and options.
expect_refused(["no command 'epsilom'", "(did you mean epsilon?)"], "epsilom", "gaussian(1)")
expect_refused(["no option '--detla'", "(did you mean --delta?)"], "epsilon", "gaussian(1)",
               "--detla", "1e-5")
expect_refused(["no option '--digit'", "(did you mean --digits?)"], "epsilon", "gaussian(1)",
               "--delta", "1e-5", "--digit=3")
expect_refused(["'contuor' is unknown (did you mean contour?)"], "epsilon", "gaussian(1)",
               "--delta", "1e-5", "--accountant", "contuor")
expect_refused(["has no parameter 'eps_eror' (did you mean eps_error?)"], "epsilon", "gaussian(1)",
               "--delta", "1e-5", "--accountant", "prv(eps_eror=1)")

# Completion: every command and option is in every script, and a shell that is here takes it.
expect_refused(["SHELL", "bash"], "completion", "tcsh")
for shell in ("bash", "zsh", "fish"):
    script = run("completion", shell)
    expect(script.status == 0, shell)
    for name in commands:
        expect(name in script.out, f"{shell}: {name}")
        for option in options[name]:
            written = f"-l {option[2:]} " if shell == "fish" else option
            expect(written in script.out, f"{shell}: {name} {option}")
    if shutil.which(shell):
        with tempfile.NamedTemporaryFile("w", suffix=".sh") as file:
            file.write(script.out)
            file.flush()
            check = subprocess.run([shell, "-n", file.name], capture_output=True, text=True)
            expect(check.returncode == 0, f"{shell} -n: {check.stderr}")


def completed(*words):
    """What bash offers for the last word."""
    ask = ('source /dev/stdin; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _plaudit; '
           'printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(["bash", "-c", ask, "bash", "plaudit", *words], text=True,
                          input=run("completion", "bash").out, capture_output=True)
    expect(done.returncode == 0, done.stderr)
    return done.stdout.split()


expect(completed("eps") == ["epsilon"], str(completed("eps")))
expect(completed("epsilon", "gaussian(1)", "--de") == ["--delta"], "an option")
expect(completed("epsilon", "--direction", "") == ["both", "remove", "add"], "the words of an option")
expect(completed("epsilon", "--delta", "") == [], "a number")
expect(completed("list", "") [:2] == ["accountants", "mechanisms"], str(completed("list", "")))
expect(completed("help", "comp") == ["compare", "completion"], str(completed("help", "comp")))

# The manual, which man itself takes without a warning where it is here.
manual = run("man").out
for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "EXIT STATUS"):
    expect(f".SH {section}\n" in manual, section)
for name in commands:
    expect(f".SS {name}\n" in manual, f"man: {name}")
    for option in options[name] - {"--help"}:
        expect(option.replace("-", "\\-") in manual, f"man: {name} {option}")
expect(not re.search(r"^'", manual, re.M), "a line of roff that starts with a quote")
if shutil.which("groff"):
    page = subprocess.run(["groff", "-man", "-Tascii", "-ww"], input=manual, text=True,
                          capture_output=True)
    expect(page.returncode == 0 and not page.stderr, f"groff: {page.stderr[:500]}")

finish()
