// The page: what is asked of the engine and of the checker in Python, and how the answers are shown.
import {Engine, Python} from "./threads.js";
import {element, list, put, rounded, rows, seconds, sign} from "./words.js";
import {Curve} from "./curve.js";
import {honest, forged} from "./examples.js";

const at = id => document.getElementById(id);
const engine = new Engine();
const python = new Python();
const CHECK_SECONDS = 120;

const EXAMPLES = [
  ["DP-SGD, 1000 steps", "poisson(gaussian(sigma=0.8), rate=0.004)^1000", "1e-7"],
  ["MNIST, 60 epochs", "poisson(gaussian(sigma=1.1), rate=256/60000)^14100", "1e-5"],
  ["100 Gaussian queries", "gaussian(sigma=20)^100", "1e-6"],
  ["Laplace counts", "laplace(scale=4)^30", "1e-6"],
  ["Census-like", "discrete_gaussian(sigma=15)^50", "1e-10"],
  ["Two kinds of noise", "gaussian(sigma=4)^10 * laplace(scale=5)^5", "1e-6"],
];

// --- the engine ---------------------------------------------------------------------------------

function state(kind, text) {
  at("state").className = `state ${kind}`;
  at("state").querySelector("span").textContent = text;
}

const ready = engine.load("plaudit.wasm").then(async () => {
  state("ready", `Engine ready in ${engine.seconds.toFixed(1)} s`);
  const facts = JSON.parse(await (await fetch("build.json")).text());
  at("facts").textContent = `plaudit ${facts.plaudit}, ${facts.revision}, built with ${facts.tools}`;
}, error => {
  const missing = error.message === "missing";
  state("missing", missing ? "No engine in this copy" : "The engine does not start");
  for (const id of ["answer", "verdict"]) {
    at(id).hidden = false;
    at(id).replaceChildren(element("p", {class: "error"}, missing
      ? "This copy of the site has no engine. Whoever builds it makes one with ./dev web; until then the program plaudit answers the same questions."
      : `This browser does not start the engine: ${error.message}`));
  }
  throw error;
});
ready.catch(() => {});

// --- tabs ---------------------------------------------------------------------------------------

function show(name) {
  for (const each of ["check", "compute"]) {
    at(each).hidden = each !== name;
    at(`tab-${each}`).setAttribute("aria-selected", String(each === name));
    at(`tab-${each}`).tabIndex = each === name ? 0 : -1;
  }
  history.replaceState(null, "", `#${name}`);
}
for (const each of ["check", "compute"]) {
  at(`tab-${each}`).addEventListener("click", () => show(each));
  at(`tab-${each}`).addEventListener("keydown", event => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = each === "check" ? "compute" : "check";
    show(other);
    at(`tab-${other}`).focus();
  });
}

// --- certificates -------------------------------------------------------------------------------

const CPP = "C++, in WebAssembly", PYTHON = "Python, in Pyodide";

/// What the checkers say so far: {name: undefined while it works, {accepted, reason, milliseconds} or {failure}}.
function verdict(found, name, stated) {
  const said = Object.values(found), first = found[CPP];
  const refusal = said.find(each => each && !each.failure && !each.accepted), failure = said.find(each => each?.failure);
  const some = said.some(each => each?.accepted), waiting = !refusal && said.some(each => !each);
  const good = some && !refusal && !failure && !waiting;
  const [kind, word, sentence] = refusal ? ["bad", "Refused", refusal.reason] : waiting ? ["waiting", "Checking", name]
    : good ? ["good", "Accepted", "The guarantee below is proven."]
    : some ? ["waiting", "Accepted by one checker", `The other one gave no answer: ${failure.failure}`]
    : ["bad", "Not checked", failure.failure];
  const head = element("div", {class: `verdict ${kind}`}, waiting ? element("i", {class: "spin"}) : kind !== "waiting" && sign(good),
    element("div", {}, element("b", {}, word), element("span", {}, sentence)));
  const differ = refusal && some;
  const about = first?.claim ? first : {};
  put(at("verdict"), head,
    differ && element("p", {class: "error"}, "The checkers disagree, which is a defect of plaudit: please report it with this file. Nothing is proven."),
    good && element("p", {class: "big", id: "claim"}, ...headline(about.claim)),
    rows([
      [some && !refusal ? "claim" : "not proven", about.claim],
      ["run", about.spec && element("code", {}, about.spec)],
      ["neighbours", about.adjacency && neighbours(about.adjacency)],
      ["laws", good && list([...stated, ...about.laws])],
      ["statements", good && list(about.statements.map(each => shortened(each)))],
      ["assumed", good && about.assumptions?.length > 0 && list(about.assumptions)],
      ["checkers", list(Object.entries(found).map(([who, each]) => element("span", {}, `${who}: `,
        each ? each.failure ? "no answer" : each.accepted ? "accepted" : "refused" : element("i", {class: "spin"}),
        each && !each.failure ? ` in ${seconds(each.milliseconds)}` : "")))],
      ["file", name],
    ]));
}

/// "epsilon at delta = 1e-7 lies in [2.08, 2.09], ..." as one large line.
function headline(claim) {
  const parts = /^(epsilon|delta) at (epsilon|delta) = (\S+) lies in \[(\S+), (\S+)\]/.exec(claim);
  if (!parts) return [claim];
  const [, what, given, where, , upper] = parts;
  return [`${letter(what)} ≤ ${rounded(upper, 5, true)} `, element("small", {}, `at ${letter(given)} = ${where}`)];
}

/// The laws that a certificate states: a checker accepts it only where they are those that it derives itself.
function laws(text) {
  try {
    const stated = JSON.parse(text).laws;
    return Object.entries(stated).flatMap(([direction, factors]) => factors.map(each =>
      `${direction === "both" ? "" : `${direction}: `}${each.law}${each.count > 1 ? `, ${each.count} times` : ""}`));
  } catch {
    return [];
  }
}

const neighbours = adjacency => adjacency.replace("add_remove", "one record more or less").replace("zero_out", "one record zeroed out")
  .replace("replace", "one record replaced").replace("as_stated", "as the mechanism states");

const letter = name => ({epsilon: "ε", delta: "δ"})[name];

/// Decimals of many zeros are cut where they are shown; the claim has them whole.
const shortened = text => text.replace(/\d\.\d{18,}(e-?\d+)?/g, all => all.replace(/(\.\d{12})\d+/, "$1…"));

let examined = 0;

async function examine(text, name) {
  const mine = ++examined;
  at("verdict").hidden = false;
  const found = {[CPP]: undefined}, stated = laws(text);
  const told = (who, what) => {
    found[who] = what;
    if (mine === examined) verdict(found, name, stated);
  };
  verdict(found, name, stated);
  try {
    await ready;
  } catch {
    return;
  }
  if (await python.there()) {
    told(PYTHON, undefined);
    python.ask(text, CHECK_SECONDS).then(answer => told(PYTHON, answer), error => told(PYTHON, {failure: error.message}));
  }
  try {
    told(CPP, await engine.ask("check", text, CHECK_SECONDS));
  } catch (error) {
    told(CPP, {failure: error.message});
  }
}

async function read(file) {
  if (file.size > 8 * 2 ** 20) return examine("", `${file.name}: larger than a certificate may be`);
  examine(await file.text(), file.name);
}

at("choose").addEventListener("click", () => at("file").click());
at("file").addEventListener("change", () => at("file").files[0] && read(at("file").files[0]));
at("paste").addEventListener("click", async () => {
  try {
    examine(await navigator.clipboard.readText(), "from the clipboard");
  } catch {
    examine("", "the browser does not show its clipboard to pages: choose or drop a file");
  }
});
at("honest").addEventListener("click", () => examine(honest, "an honest example"));
at("forged").addEventListener("click", () => examine(forged, "the same with a smaller epsilon, made by hand"));
addEventListener("dragover", event => { event.preventDefault(); at("drop").classList.add("over"); });
addEventListener("dragleave", event => event.relatedTarget ?? at("drop").classList.remove("over"));
addEventListener("drop", event => {
  event.preventDefault();
  at("drop").classList.remove("over");
  const file = event.dataTransfer.files[0];
  if (file) { show("check"); read(file); }
});
addEventListener("paste", event => {
  const text = event.clipboardData.getData("text");
  if (!at("check").hidden && text.trim().startsWith("{")) examine(text, "pasted");
});

// --- questions ----------------------------------------------------------------------------------

let asked = 0;  // of a question that was overtaken or stopped nothing more is shown
let current;

const limit = () => Math.min(600, Math.max(1, Number(at("seconds").value) || 20));

function working(is) {
  at("stop").hidden = !is;
  at("ask").disabled = at("calibrate").disabled = is;
}

function failed(error) {
  return element("p", {class: "error"}, error === "stopped" ? "Stopped." : error);
}

const ask = (question) => engine.ask("answer", JSON.stringify(question), limit());

async function compute() {
  const mine = ++asked;
  const spec = at("spec").value.trim(), delta = at("delta").value.trim(), digits = Number(at("digits").value) || 6;
  at("answer").hidden = false;
  at("more").hidden = true;
  at("answer").replaceChildren(element("p", {}, element("i", {class: "spin"}), " Computing"));
  working(true);
  try {
    await ready;
    const answer = await ask({spec, delta, digits});
    if (mine !== asked) return;
    if (answer.error) return at("answer").replaceChildren(failed(answer.error));
    current = {spec, delta, answer};
    showAnswer(answer, delta);
    if (!answer.upper || answer.upper === "inf") return;
    at("more").hidden = false;
    parameters(spec);
    await drawCurve(mine, spec, delta, answer);
  } catch (error) {
    if (mine === asked && at("more").hidden) at("answer").replaceChildren(failed(error.message));
  } finally {
    if (mine === asked) working(false);
  }
}

function showAnswer(answer, delta) {
  const found = answer.upper !== "inf" || answer.lower === "inf";
  const words = !found ? "No upper bound of ε was found " : answer.upper === "inf" ? "ε = ∞ " : `ε ≤ ${rounded(answer.upper, 5, true)} `;
  const of = answer.lower_end ?? {};
  const attained = {yes: "yes", each_epsilon: "yes, each epsilon by its own pair of data sets", unknown: "not known"}[of.attained];
  at("answer").replaceChildren(
    element("p", {class: "big", id: "epsilon"}, words, element("small", {}, `at δ = ${delta} `),
      found && element("span", {class: answer.certified ? "seal" : "seal no"}, answer.certified ? "proven" : "an estimate")),
    element("p", {class: "quiet"}, answer.reached ? "All digits that were asked for are proven." : answer.remark ?? "Fewer digits than were asked for are proven."),
    rows([
      ["band", element("code", {}, `[${answer.lower}, ${answer.upper}]`)],
      ["run", element("code", {}, answer.spec)],
      ["neighbours", neighbours(String(answer.adjacency)) + (answer.group_size > 1 ? `, groups of ${answer.group_size}` : "")
        + (answer.guarantee === false ? ": no privacy guarantee" : "")],
      ["attained", attained && element("span", {}, attained, of.why && element("span", {class: "quiet"}, ` — ${of.why.replaceAll("`", "")}`))],
      ["by", `${answer.accountant}${answer.method ? ` (${answer.method})` : ""}`],
      ["time", seconds(answer.milliseconds)],
    ]),
    element("div", {class: "actions", id: "actions"}, element("button", {click: certify, id: "certify"}, "Make a certificate")));
}

async function certify() {
  const mine = asked, {spec, delta, answer} = current;
  at("certify").disabled = true;
  at("certify").textContent = "Proving";
  try {
    const made = await engine.ask("certify", JSON.stringify({spec, delta, digits: answer.digits}), limit());
    if (mine !== asked) return;
    if (made.error) return at("actions").replaceChildren(failed(made.error));
    const file = URL.createObjectURL(new Blob([made.certificate], {type: "application/json"}));
    at("actions").replaceChildren(
      element("a", {href: file, download: "plaudit-certificate.json"}, `plaudit-certificate.json (${Math.ceil(made.certificate.length / 1000)} kB)`),
      element("button", {click: () => { show("check"); examine(made.certificate, "made on this page"); }}, "Check it here"));
  } catch (error) {
    if (mine === asked) at("actions").replaceChildren(failed(error.message));
  }
}

async function drawCurve(mine, spec, delta, answer) {
  const curve = new Curve(at("curve"), {delta, epsilon: Number(answer.upper)});
  for (const each of curve.questions()) {
    const point = await ask({spec, delta: each, digits: 4});
    if (mine !== asked) return;
    if (!point.error) curve.add(Number(each), point);
  }
  curve.done();
}

// --- calibration --------------------------------------------------------------------------------

/// The numbers of a spec that a ? can stand for: [label, spec with the ?].
function holes(spec) {
  const found = [];
  for (const match of spec.matchAll(/\b([a-z_]+)\s*=\s*([0-9][0-9.eE+\-/]*)/g)) {
    const before = match.index + match[0].length - match[2].length;
    found.push([`${match[1]} (now ${match[2]})`, spec.slice(0, before) + "?" + spec.slice(before + match[2].length),
      match[1], ["sigma", "scale", "noise_multiplier"].includes(match[1])]);
  }
  for (const match of spec.matchAll(/\^\s*(\d+)/g)) {
    const before = match.index + match[0].length - match[1].length;
    found.push([`steps (now ${match[1]})`, spec.slice(0, before) + "?" + spec.slice(before + match[1].length), "steps", false]);
  }
  return found.sort((one, other) => other[3] - one[3]);
}

function parameters(spec) {
  const found = holes(spec);
  at("calibration").hidden = found.length === 0;
  at("parameter").replaceChildren(...found.map(([label, hole, name]) => element("option", {value: hole, "data-name": name}, label)));
  at("calibrated").replaceChildren();
}

async function calibrate() {
  const mine = ++asked;
  const chosen = at("parameter").selectedOptions[0], name = chosen.dataset.name;
  const target = at("target").value.trim(), delta = current.delta;
  working(true);
  at("calibrated").replaceChildren(element("p", {}, element("i", {class: "spin"}), " Searching"));
  try {
    const found = await ask({spec: chosen.value, target_epsilon: target, delta, digits: 6});
    if (mine !== asked) return;
    if (found.error) return at("calibrated").replaceChildren(failed(found.error));
    if (!found.suffices) return at("calibrated").replaceChildren(failed(found.remark ?? "No value meets the target."));
    at("calibrated").replaceChildren(
      element("p", {class: "big", id: "suffices"}, `${name} = ${found.suffices} `, element("small", {}, "suffices")),
      rows([
        ["fails", found.fails && `${name} = ${found.fails}`],
        ["so that", `ε ≤ ${target} at δ = ${delta}`],
        ["time", `${seconds(found.milliseconds)}, ${found.queries} bands`],
      ]),
      element("div", {class: "actions"}, element("button", {type: "button", click: () => {
        at("spec").value = found.spec_that_suffices;
        compute();
        scrollTo({top: 0, behavior: "smooth"});
      }}, "Use it")));
  } catch (error) {
    if (mine === asked) at("calibrated").replaceChildren(failed(error.message));
  } finally {
    if (mine === asked) working(false);
  }
}

at("question").addEventListener("submit", event => { event.preventDefault(); compute(); });
at("calibration").addEventListener("submit", event => { event.preventDefault(); calibrate(); });
at("stop").addEventListener("click", () => engine.stop());
at("spec").addEventListener("keydown", event => {
  if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); at("question").requestSubmit(); }
});
at("chips").replaceChildren(...EXAMPLES.map(([label, spec, delta]) => element("button", {type: "button", click: () => {
  at("spec").value = spec;
  at("delta").value = delta;
  if (!at("stop").hidden) engine.stop();
  compute();
}}, label)));
[, at("spec").value, at("delta").value] = EXAMPLES[0];
show(location.hash === "#compute" ? "compute" : "check");
