"""CSV that is none was read as something: of two columns of one name the last one won, `"1"0` was 10,
and a carriage return within a number was dropped (12 where a terminal shows 2)."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from _program import expect, expect_refused, finish, run  # noqa: E402

HEADER = "id,spec,delta,epsilon,kind\n"


def refused(words, text):
    expect_refused(words, "audit", "-", stdin=text)


def audited(text, verdicts):
    result = run("audit", "-", "--json", stdin=text)
    found = [entry["verdict"] for entry in result.json()["claims"]] if result.out else []
    expect(found == verdicts, f"{text!r}: {found} {result.err}")


refused(["line 1", "column 5", "'epsilon'", "column 4"],
        "id,spec,delta,epsilon,epsilon,kind\na,gaussian(1),1e-5,1,9,upper\n")
refused(["line 1", "column 5", "'tolerence'", "tolerance"],
        "id,spec,delta,epsilon,tolerence,kind\na,gaussian(1),1e-5,1,9,upper\n")
refused(["line 2", "column 4", "'epsilon'", "closing quote"], HEADER + 'a,gaussian(1),1e-5,"1"0,upper\n')
refused(["line 3", "column 3", "'delta'", "closing quote"],
        HEADER + 'a,gaussian(1),1e-5,9,upper\nb,gaussian(1),"1"e-5,9,upper\n')
refused(["line 2", "column 4", "'epsilon'", "carriage return"], HEADER + "a,gaussian(1),1e-5,1\r2,upper\n")
refused(["line 2", "column 4", "'epsilon'", "carriage return"], HEADER + 'a,gaussian(1),1e-5,"1\r2",upper\n')
refused(["line 1", "carriage return"], HEADER.replace("\n", "\r") + "a,gaussian(1),1e-5,1,upper\r")
refused(["line 2", "column 4", "quote"], HEADER + 'a,gaussian(1),1e-5,1"0",upper\n')
refused(["line 2", "column 2", "not closed"], HEADER + 'a,"gaussian(1),1e-5,10,upper\n')
refused(["line 2", "more cells"], HEADER + "a,gaussian(1),1e-5,10,upper,20\n")
refused(["line 2", "column 3", "no name"], "id,spec,,delta,epsilon,kind\na,gaussian(1),7,1e-5,10,upper\n")
# a quoted line end counts as a line
refused(["line 3", "column 4"], HEADER + 'a,"gaussian(\n1)",1e-5,"1"0,upper\n')

# What is CSV stays so: quotes and blanks around a cell, CRLF, columns without cells.
audited(HEADER.replace("\n", "\r\n") + ' a , "gaussian(sigma=1)" , 1e-5,"5",upper\r\n\r\n', ["valid"])
audited("id,spec,delta,epsilon,kind,,\na,gaussian(1),1e-5,5,upper,,\nb,gaussian(1),1e-5,4,upper", ["valid", "refuted"])
audited('id,spec,delta,epsilon,kind,source\na,gaussian(1),1e-5,5,upper,"two\r\nlines, ""quoted"""\r\n', ["valid"])

finish()
