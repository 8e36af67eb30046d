"""What was observed in runs against the curve of a claimed run, by exact sums of whole numbers; docs/certificates/observation.md."""
from fractions import Fraction

from .arithmetic.clock import Rejected, watched
from .arithmetic.intervals import exact, exp, require
from .arithmetic.real import exceeds
from .specs import reader

MOST_RUNS = 10**7
MOST_BITS = 1 << 22  # of a number in a sum

_RUNS = ("the runs are independent of each other; those of one kind have the same law",
         "the test, and its threshold or how other runs chose it, were fixed before the counted runs; the counts are theirs",
         "the test sees what a run releases, and nothing of its random choices",
         "runs with and without the record differ as the adjacency says")
_BETS = ("each guess is about a fair coin of its own run, which nothing before the run knows",
         "the line and the stake were fixed before the first run; the counts are those of all bets",
         "guesses come from what the runs released, without these coins",
         "the sides of a coin differ as the adjacency says")
_COINS = "each canary was in or out by a fair coin of its own"
_PAIRS = "the members were drawn at random among all canaries, and so were the pairs, apart from the scores"
_GUESSES = ("guesses come from what the run released, without these coins; how many of each kind are made, and how many "
            "tests, was fixed before; the counts are theirs",
            "the sides of a coin differ as the adjacency says")
_INDEPENDENT = "what the run releases of each canary depends on its own coin alone"


def with_text(fields, name):
    """An exact number and how it is written: of many digits Python makes no text."""
    text = fields.text(name)
    return reader.number(text, f"{fields.where}.{name}"), text


def announce(budget, n, x, terms):
    bits = n * max(x.bit_length(), 1)
    require(bits <= MOST_BITS, "the sums have numbers of more than 2^22 bits")
    budget.announce(terms * (bits // 512 + 4))


def upper_tail(n, v, a, b, budget):
    """(sum over i = v..n of C(n, i) a^i b^(n-i), its term at v, (a + b)^n), from the last term down."""
    announce(budget, n, a + b, n - v + 3)
    term = total = a**n
    for i in watched(range(n, v, -1)):
        term = term * (i * b) // ((n - i + 1) * a)
        total += term
    return total, term, (a + b)**n


def few_errors(of, trials, rate, most, name, budget):
    """Rejects unless P(Bin(trials, rate) <= of) <= most."""
    require(0 < rate <= 1, f"{name}: must be in (0, 1]")
    require(of < trials, f"{name}: errors in all runs say nothing")
    if rate < 1:
        part, whole = rate.numerator, rate.denominator
        total, _, everything = upper_tail(trials, trials - of, whole - part, part, budget)
        require(total * most.denominator <= most.numerator * everything, f"{name}: so few errors are more probable than is stated")


def right_guesses(right, guessed, canaries, lam, delta, most, budget):
    """Rejects unless 1 - (1 - beta)(1 - M)_+ <= most, beta = P(Bin >= right), M = canaries delta beta/(right P(Bin = right))."""
    require(lam > 0, "lambda: must be positive")
    require(right >= 1, "no right guess says nothing")
    total, term, everything = upper_tail(guessed, right, lam.numerator, lam.denominator, budget)
    top = canaries * delta.numerator * total
    bottom = right * delta.denominator * term
    require(top < bottom and (everything - total) * (bottom - top) * most.denominator
            >= (most.denominator - most.numerator) * everything * bottom,
            "so many right guesses are more probable than is stated")


def to_the(x, n, budget):
    announce(budget, n, max(abs(x.numerator), x.denominator), 1)
    return x.numerator**n, x.denominator**n


class Observation:
    def __init__(self, fields, composition, budget):
        self.fields, self.composition, self.budget = fields, composition, budget
        self.assumptions, self.words = [], ""

    def follows(self, statements, alike):
        """Rejects unless what is claimed follows from the statements, which are proven besides."""
        self.statements, self.alike = statements, alike
        fields = self.fields
        design = fields.word("design", ("runs", "coins", "pairs", "sequence"))
        self.level, self.level_text = with_text(fields, "level")
        require(0 < self.level < 1, "level: must be in (0, 1)")
        guesses = design in ("coins", "pairs")
        independent = fields.boolean("independent") if guesses else False
        self.assumptions = list(_RUNS if design == "runs" else _BETS if design == "sequence" else
                                (_COINS if design == "coins" else _PAIRS, *_GUESSES, *([_INDEPENDENT] if independent else [])))
        require(fields.take("assumptions") == self.assumptions, "assumptions are not those of the design")
        require(fields.has("refutation") or fields.has("limits"), "the observation claims nothing")
        if guesses:
            self._guesses(design, independent)
        elif design == "runs":
            self._runs()
        else:
            self._bets()
        fields.done()

    def text(self, composition):
        return self.words

    def _line(self, fields):
        """(epsilon, lambda, {direction: delta}) with delta(log lambda) <= delta."""
        epsilon, lam = fields.exact("epsilon"), fields.exact("lambda")
        deltas = {direction: fields.exact(direction) for direction in ("remove", "add") if fields.has(direction)}
        fields.done()
        require(not exceeds(exp(exact(epsilon)).b, lam), "line: lambda is not proven to be at least e^epsilon")
        for direction, delta in deltas.items():
            require(0 <= delta <= 1, "line: a delta lies in [0, 1]")
            # delta(e) does not increase with e
            require(any(s.verb == "at_most" and (self.alike or s.direction == direction)
                        and s.epsilon <= epsilon and s.value <= delta for s in self.statements),
                    f"line: no statement bounds delta so in the direction {direction}")
        return epsilon, lam, deltas

    def _p_value(self, fields):
        p_value, text = with_text(fields, "p_value")
        require(0 < p_value <= self.level, "p_value: must be in (0, level]")
        self.words += f" refute the claim: p-value <= {text}, at the level {self.level_text}"
        return p_value

    def _ends(self, fields, most):
        """e^at_least <= most(fields of the end, delta, how many there are) for each end."""
        ends = fields.each("epsilon", 0, 64)
        require(bool(ends), "limits: there are none")
        words = []
        for end in ends:
            delta, delta_text = with_text(end, "delta")
            require(0 <= delta <= 1, f"{end.where}: a delta lies in [0, 1]")
            least, least_text = with_text(end, "at_least")
            reached = most(end, delta, len(ends))
            require(not exceeds(exp(exact(least)).b, reached), f"{end.where}: epsilon is not proven to be so large")
            end.done()
            words.append(f"epsilon at delta = {delta_text} >= {least_text}")
        fields.done()
        self.words += f"; whatever was claimed, but for a probability of {self.level_text}: {', '.join(words)}"

    def _runs(self):
        counts = self.fields.fields("counts")
        n = counts.integer("without_record", 1, MOST_RUNS)
        k = counts.integer("false_positives", 0, n)
        m = counts.integer("with_record", 1, MOST_RUNS)
        j = counts.integer("false_negatives", 0, m)
        counts.done()
        self.words = f"false positives in {k} of {n} runs, false negatives in {j} of {m} runs"

        def rates(fields, most):
            fpr, fnr = fields.exact("fpr"), fields.exact("fnr")
            few_errors(k, n, fpr, most / 2, "fpr", self.budget)
            few_errors(j, m, fnr, most / 2, "fnr", self.budget)
            return fpr, fnr
        if self.fields.has("refutation"):
            refutation = self.fields.fields("refutation")
            p_value = self._p_value(refutation)
            _, lam, deltas = self._line(refutation.fields("line"))
            require(len(deltas) == 1, "line: must have one direction")
            fpr, fnr = rates(refutation, p_value)
            refutation.done()
            above, below = (fpr, fnr) if "remove" in deltas else (fnr, fpr)
            require(below <= 1 - lam * above - sum(deltas.values()), "the claim has a test with less than these rates")
        if self.fields.has("limits"):
            limits = self.fields.fields("limits")
            fpr, fnr = rates(limits, self.level)
            self._ends(limits, lambda end, delta, together: max((1 - fnr - delta) / fpr, (1 - fpr - delta) / fnr))

    def _guesses(self, design, independent):
        require(design == "coins" or self.composition.adjacency.kind in ("replace", "as_stated"),
                "pairs exchange records: the claim must be of replace")
        counts = self.fields.fields("counts")
        canaries = counts.integer("canaries", 1, MOST_RUNS)
        guessed = counts.integer("guessed", 1, canaries)
        right = counts.integer("right", 0, guessed)
        counts.done()
        kind = "both" if design == "pairs" else self.fields.word("kind", ("both", "in", "out"))
        tests = self.fields.integer("tests", 1, 1000)
        require(not independent or (tests == 1 and kind == "both"), "independent canaries: one test of guesses of both kinds")
        self.words = f"{right} right ones of {guessed} guesses about {canaries} coins"
        self.words += f", all of them {kind}," if kind != "both" else ""
        self.words += f" in one of {tests} tests" if tests > 1 else ""
        if self.fields.has("refutation"):
            refutation = self.fields.fields("refutation")
            share = self._p_value(refutation) / tests
            epsilon, lam, deltas = self._line(refutation.fields("line"))
            require(("remove" in deltas) == (kind != "out") and ("add" in deltas) == (kind != "in"),
                    "line: must have the directions of the guesses and no other")
            refutation.done()
            if independent:
                require(epsilon <= 0, "line: of independent canaries delta(0) counts")
                self._independent(right, guessed, canaries, max(deltas.values()), share)
            else:
                right_guesses(right, guessed, canaries, lam, sum(deltas.values()) / 2, share, self.budget)
        if self.fields.has("limits"):
            require(not independent, "limits: of independent canaries none is proven")

            def most(end, delta, together):
                lam = end.exact("lambda")
                require(lam >= 1, f"{end.where}: lambda must be at least 1")
                right_guesses(right, guessed, canaries, lam, delta if kind == "both" else delta / 2,
                              self.level / (tests * together), self.budget)
                return lam
            self._ends(self.fields.fields("limits"), most)

    def _independent(self, right, guessed, canaries, advantage, most):
        require(guessed == canaries, "independent canaries are all guessed")
        whole, part = advantage.denominator, advantage.numerator
        total, _, everything = upper_tail(guessed, right, whole + part, whole - part, self.budget)
        require(total * most.denominator <= most.numerator * everything, "so many right guesses are more probable than is stated")

    def _bets(self):
        counts = self.fields.fields("counts")
        times = [counts.integer(name, 0, MOST_RUNS) for name in ("right", "wrong", "abstained")]
        counts.done()
        self.words = "{} right bets, {} wrong ones and {} abstentions".format(*times)
        refutation = self.fields.fields("refutation")
        p_value = self._p_value(refutation)
        _, lam, deltas = self._line(refutation.fields("line"))
        require(len(deltas) == 2, "line: must have the directions of the guesses and no other")
        delta = sum(deltas.values()) / Fraction(2)
        stake = refutation.exact("stake")
        refutation.done()
        require(stake >= 0 and stake * (lam + delta) <= 1, "stake: must be in [0, 1 / (lambda + delta)]")
        gained, paid = p_value.numerator, p_value.denominator
        for x, n in zip((1 + stake * (1 - delta), 1 - stake * (lam + delta), 1 - stake * delta), times):
            above, below = to_the(x, n, self.budget)
            gained, paid = gained * above, paid * below
        if gained < paid:
            raise Rejected("the bets do not come to so much")
