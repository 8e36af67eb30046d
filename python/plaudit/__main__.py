"""`python -m plaudit`: the program; `ledger` is the package's own."""
import os
import sys
from pathlib import Path


def main() -> None:
    if sys.argv[1:2] == ["ledger"]:
        from plaudit._ledger import program as ledger

        sys.exit(ledger.main(sys.argv[2:]))
    program = Path(__file__).resolve().parent / "bin" / "plaudit"
    if not program.exists():  # a package whose files are links into the sources
        program = Path(__file__).parent / "bin" / "plaudit"
    if not program.exists():
        sys.exit("plaudit: this installation has no program")
    sys.stdout.flush()
    os.execv(program, [str(program), *sys.argv[1:]])


if __name__ == "__main__":
    main()
