"""What the audits of docs/audits say, for the front page: counted from their files while the site is
built, so that the page cannot say anything else."""
import csv
import json
from html import escape

# How the peers of verdicts.csv are called in prose, in the order of the picture.
SHOWN = (("opacus_rdp", "upper", "Opacus, Renyi"), ("autodp_rdp", "upper", "autodp, Renyi"),
         ("jax_privacy_rdp", "upper", "JAX Privacy, Renyi"), ("opacus_prv", "upper", "Opacus, PRV"),
         ("prv", "upper", "prv_accountant, upper end"), ("prv", "lower", "prv_accountant, lower end"),
         ("google_pess_1e-3", "upper", "dp_accounting, pessimistic, 1e-3"),
         ("google_opt_1e-3", "lower", "dp_accounting, optimistic, 1e-3"),
         ("pld_accounting", "upper", "pld_accounting"),
         ("google_opt_1e-4", "lower", "dp_accounting, optimistic, 1e-4"),
         ("jax_privacy_pld", "upper", "JAX Privacy, PLD"), ("riskcal_ctd", "upper", "riskcal"),
         ("google_pess_1e-4", "upper", "dp_accounting, pessimistic, 1e-4"),
         ("gdpnum_mu", "mu", "gdpnum, mu-GDP"))
TRUE = ("valid", "tight")


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def groups(rows):
    """Verdicts of each peer and kind: {(peer, kind): {verdict: count}}."""
    result = {}
    for row in rows:
        counts = result.setdefault((row["peer"], row["kind"]), {})
        verdict = row["verdict"].split()[0]  # "refuted as upper bound"
        counts[verdict] = counts.get(verdict, 0) + 1
    return result


def picture(counted):
    """A bar for each peer, refuted claims first: an SVG in the colours of the page's text."""
    shown = {key[:2]: key[2] for key in SHOWN}
    keys = [key[:2] for key in SHOWN if key[:2] in counted]
    keys += sorted(key for key in counted if key not in shown)
    label, bar, step = 216, 205, 22
    lines = []
    for place, key in enumerate(keys):
        counts, y = counted[key], 30 + place * step
        refuted = counts.get("refuted", 0)
        total = refuted + sum(counts.get(name, 0) for name in TRUE) + counts.get("undecided", 0)
        if not total:
            continue
        width = bar * refuted / total
        name = escape(shown.get(key, " ".join(key)))
        lines.append(
            f'<text x="{label - 10}" y="{y + 12}" text-anchor="end">{name}</text>'
            f'<rect x="{label}" y="{y}" width="{bar}" height="15" class="true"/>'
            f'<rect x="{label}" y="{y}" width="{width:.1f}" height="15" class="refuted"/>'
            f'<text x="{label + bar + 10}" y="{y + 12}">{refuted} of {total}</text>')
    height = 30 + len(keys) * step + 6
    title = "Claims refuted, of those judged, for each library"
    return (f'<figure class="verdicts"><svg viewBox="0 0 500 {height}" role="img" aria-label="{title}">'
            f'<text x="{label}" y="16" class="refuted">■ proven false</text>'
            f'<text x="{label + 104}" y="16" class="true">■ proven true</text>{"".join(lines)}</svg></figure>')


def substitutions(folder):
    """The words of the front page that come from the audits."""
    verdicts, settings = rows_of(folder / "verdicts.csv"), rows_of(folder / "settings.csv")
    counted = groups(verdicts)
    judged = [row for row in verdicts if row["verdict"].split()[0] in TRUE + ("refuted", "undecided")]
    refuted = [row for row in judged if row["verdict"].startswith("refuted")]
    # An upper bound that is too small promises privacy that is not there.
    unsafe = [row for row in refuted if row["kind"] == "upper"]
    worst = max(unsafe, key=lambda row: float(row["gap_epsilon"]) / float(row["certified_lower"]))
    renyi = [row for row in verdicts if row["peer"] == "opacus_rdp" and row["verdict"] in TRUE]
    loose = median([float(row["gap_epsilon"]) / float(row["certified_upper"]) for row in renyi])
    seconds = [float(row["plaudit_seconds"]) for row in settings if row["plaudit_seconds"]]
    names = {key[:2]: key[2] for key in SHOWN}
    # Of one library: several accountants and settings.
    libraries = {name.split(",")[0] for key, name in names.items() if key in counted}
    run = json.loads((folder / "run.json").read_text()) if (folder / "run.json").exists() else {}
    def count(n):
        return str(n) if n else "none"

    return {
        "settings": str(len({(row["spec"], row["delta"]) for row in settings})), "judged": str(len(judged)), "refuted": str(len(refuted)),
        "undecided": count(sum(row["verdict"].startswith("undecided") for row in judged)),
        "unsafe": str(len(unsafe)), "asked": str(len({peer for peer, _ in counted})), "libraries": str(len(libraries)),
        "renyi_refuted": count(sum(row["peer"].endswith("_rdp") for row in refuted)),
        "at_small_deltas": str(sum(float(row["delta"]) <= 1e-8 for row in refuted)),
        "opacus_loose": f"{100 * loose:.2g} %", "median_seconds": f"{1000 * median(seconds):.1f} ms",
        "worst_peer": names.get((worst["peer"], worst["kind"]), worst["peer"]),
        "worst_spec": f"`{worst['spec']}`", "worst_delta": worst["delta"],
        "worst_says": f"{float(worst['peer_epsilon']):.4g}",
        "worst_is": f"{float(worst['certified_lower']):.4g}",
        "audit_versions": run.get("versions", ""),
        "verdicts_picture": picture(counted),
    }
