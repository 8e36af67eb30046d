"""differential.py SERVER [--seconds S | --files N] [--seed N] [--findings FOLDER] [FILE...]: both checkers of certificates,
asked about the same mutated files. FILEs are judged as they are; without any, files are made from the corpora.

SERVER is the program fuzz_checkers. Outcomes must be the same (docs/certificates.md, "Verdicts"), but where one of the
checkers was unfinished, and where rounding decides: more bits, or bounds moved by 2^-20, end the difference. Others are
made smaller and kept in the folder of findings; the exit status is 1 then.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time
from fractions import Fraction

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parents[2] / "python"))
from mutations import Mutator, dump, load  # noqa: E402
from plaudit_certificates.statements import examined  # noqa: E402

OPERATIONS = 200_000  # of a file: quick ones find as much
SECONDS = 20          # of a file, in either checker
AT_ONCE = 64          # files that are asked about at once
MORE_BITS = 256
MARGIN = Fraction(1, 2**20)


class Both:
    """Asks both checkers."""

    def __init__(self, server, operations=OPERATIONS):
        self.operations, self.arguments = operations, [server, str(SECONDS), str(operations)]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def stop(self):
        self.process.stdin.close()
        self.process.wait()

    def outcomes(self, text):
        """((outcome, reason) of C++, (outcome, reason) of Python); "ended" where the server is gone."""
        return self.outcomes_of_all([text])[0]

    def outcomes_of_all(self, texts):
        """The same of several, on which both work at once."""
        try:
            for text in texts:
                self.process.stdin.write(str(len(text)).encode() + b"\n" + text)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # its answers are missing below
        pythons = [examined(text, SECONDS, self.operations) for text in texts]
        answers = [self.process.stdout.readline().decode("ascii").rstrip("\n") for _ in texts]
        if not all(answers):
            self.process.kill()
            self.process.wait()
            self.start()
            if len(texts) > 1:
                return [self.outcomes(text) for text in texts]
            answers = ["ended the server ended"]
        return [(tuple(answer.split(" ", 1)), (outcome, reason or ""))
                for answer, (outcome, reason, _) in zip(answers, pythons)]

    def differ(self, text, found=None):
        """(words of both, whether that is what rounding may do) where they differ, else None."""
        found = found or self.outcomes(text)
        outcomes = {outcome for outcome, _ in found}
        if "ended" in outcomes or any(reason.startswith("malformed") for _, reason in found):
            return found, False
        if len(outcomes) == 1 or "unfinished" in outcomes:
            return None
        return found, outcomes == {"accepted", "rejected"} and self.is_rounding(text)

    def is_rounding(self, text):
        try:
            certificate = json.loads(text)
        except ValueError:
            return False
        if has_uncertain_masses(certificate):
            return True
        same = [len({outcome for outcome, _ in self.outcomes(dump(changed))}) == 1
                for changed in (with_more_bits(certificate), moved(certificate, 1), moved(certificate, -1))]
        return same[0] or (same[1] and same[2])


def has_uncertain_masses(certificate):
    """A mass that is only known to lie in an interval: enclosures are then as wide as each checker makes them."""
    def masses(law):
        return [*law.get("masses", []), law.get("infinite", "0")] if isinstance(law, dict) else []
    laws = certificate.get("files", {})
    return any(isinstance(mass, list) and len(mass) == 2 and mass[0] != mass[1]
               for pair in laws.values() if isinstance(pair, dict)
               for law in pair.values() for mass in masses(law))


def with_more_bits(certificate):
    statements = [{**s, "bits": min(s["bits"] + MORE_BITS, 20000)} for s in certificate["statements"]]
    return {**certificate, "statements": statements}


def moved(certificate, sign):
    """With bounds that are weaker (1) or stronger (-1) by a part of themselves; the claim is left out of it."""
    def times(text, up):
        above, _, below = text.partition("/")
        value = Fraction(above) / Fraction(below or 1)
        value += up * MARGIN * abs(value)
        return f"{value.numerator}/{value.denominator}"
    changed = []
    for s in certificate["statements"]:
        s = dict(s)
        for verb, up in (("at_most", sign), ("at_least", -sign)):
            if verb in s:
                s[verb] = times(s[verb], up)
        changed.append(s)
    lenient = {"lower": "0", "upper": "1" if certificate["quantity"] == "delta" else "inf"}
    return {**certificate, **lenient, "statements": changed}


def minimised(both, text):
    """As small as taking things away makes it, with the same two outcomes."""
    def kind(candidate):
        found = both.differ(candidate)
        return found and (tuple(outcome for outcome, _ in found[0]), found[1])
    wanted = kind(text)
    try:
        tree = load(text)
    except ValueError:
        tree = None
    shrinking = tree is not None
    while shrinking:
        shrinking = False
        for smaller in Mutator.smaller(tree):
            candidate = dump(smaller)
            if len(candidate) < len(dump(tree)) and kind(candidate) == wanted:
                tree, shrinking = smaller, True
                break
    if tree is not None and kind(dump(tree)) == wanted:
        return dump(tree)
    step = max(1, len(text) // 2)
    while step:
        at = 0
        while at < len(text):
            candidate = text[:at] + text[at + step:]
            if kind(candidate) == wanted:
                text = candidate
            else:
                at += step
        step //= 2
    return text


def told(found):
    return "; ".join(f"{who}: {outcome} {reason[:160]}" for who, (outcome, reason) in zip(("C++", "Python"), found))


def tell(both, options, number, text, words):
    now = both.differ(text)
    print(f"file {number}: {told(now[0] if now else words)}", flush=True)
    if options.findings:
        folder = pathlib.Path(options.findings)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"checkers-{options.seed}-{number}.json").write_bytes(text)


def run(options):
    mutator = Mutator(options.seed, [HERE.parent / "corpus" / "certificate", HERE / "corpus"])
    both = Both(options.server)
    begin, outcomes, rounding, findings, files = time.monotonic(), {}, 0, [], 0
    given = [pathlib.Path(path).read_bytes() for path in options.file]
    least = len(given) or options.files
    while files < least or (not least and time.monotonic() - begin < options.seconds):
        some = range(files, min(files + AT_ONCE, least) if least else files + AT_ONCE)
        texts = [given[i] if given else mutator.file(i) for i in some]
        for number, text, words in zip(some, texts, both.outcomes_of_all(texts)):
            found = both.differ(text, words)
            if found is None:
                outcomes[words[0][0]] = outcomes.get(words[0][0], 0) + 1
            elif found[1]:
                rounding += 1
            else:
                findings.append(number)
                tell(both, options, number, text if given else minimised(both, text), words)
        files = some.stop
    both.stop()
    seconds = time.monotonic() - begin
    processor = sum(os.times()[:4])
    print(f"{files} files in {seconds:.0f} s, {processor:.0f} s of them on a processor: "
          f"{len(findings)} differ, {rounding} by rounding; {outcomes}", flush=True)
    return 1 if findings else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--files", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--findings")
    parser.add_argument("file", nargs="*")
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
