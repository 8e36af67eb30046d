#!/usr/bin/env node
// golden.mjs PLAUDIT.WASM [SECONDS [MOST]]: the engine of the page, under node, on the questions of bench/golden. Each
// band must meet the recorded band of the program, and be as narrow where its digits were reached. Prints each question where
// that is not so, and how many there were; status 1 where bands are disjoint, which is a defect of one of the two. SECONDS is
// the limit of time of each; questions for which the program took more than MOST seconds (0.1) are left out.
import {readFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import vm from "node:vm";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const [file, limit = "60", most = "0.1"] = process.argv.slice(2);
const PROGRAM_SECONDS = 9;  // the column of the recorded answers
const compiled = new WebAssembly.Module(readFileSync(file));

/// The thread of the page, in this one.
async function engine() {
  let told;
  const thread = vm.createContext({WebAssembly, TextEncoder, TextDecoder, performance, postMessage: data => { told = data; }, onmessage: null});
  vm.runInContext(readFileSync(join(root, "web/site/verify/engine.js"), "utf-8"), thread);
  await thread.onmessage({data: {compiled}});
  if (!told?.ready) throw new Error(told?.failure ?? "the engine does not start");
  return async (text) => {
    await thread.onmessage({data: {id: 1, call: "answer", text, seconds: Number(limit)}});
    return told;
  };
}

const table = name => readFileSync(join(root, "bench/golden", name), "utf-8").trim().split("\n").slice(1).map(line => line.split("\t"));

/// A decimal as a whole number of units 10^-places.
function units(text, places) {
  const [mantissa, power = "0"] = text.toLowerCase().split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  const shift = Number(power) - fraction.length + places;
  if (shift < 0) throw new Error("more places are needed");
  return BigInt(whole + fraction) * 10n ** BigInt(shift);
}

function compare(asked, recorded, answer) {
  const [lower, upper] = [answer.lower, answer.upper], [, was_lower, was_upper, was_reached] = recorded;
  const infinite = [upper, was_upper].includes("inf");
  const places = 40 + Math.max(...[lower, upper, was_lower, was_upper].filter(each => each !== "inf")
    .map(each => each.length - Number(each.toLowerCase().split("e")[1] ?? 0)), 0);
  const number = text => units(text, places);
  if ((upper !== "inf" && number(upper) < number(was_lower === "inf" ? upper : was_lower)) ||
      (was_upper !== "inf" && lower !== "inf" && number(was_upper) < number(lower)) ||
      (lower === "inf" && was_upper !== "inf") || (was_lower === "inf" && upper !== "inf")) return "disjoint";
  if (was_reached === "yes" && !answer.reached) return "wider";
  if (was_reached !== "yes" && !answer.reached && !infinite) {
    const width = number(upper) - number(lower), was = number(was_upper) - number(was_lower);
    if (100n * width > 101n * was && width - was > number(was_upper) / 10n ** BigInt(asked[3])) return "wider";
  }
  if (was_upper !== "inf" && upper === "inf") return "wider";
  return lower === was_lower && upper === was_upper ? "same" : "alike";
}

let ask = await engine();
const recorded = new Map(table("answers.tsv").map(row => [row[0], row]));
const counts = {};
let slowest = 0, total = 0;
for (const asked of table("questions.tsv")) {
  const [id, quantity, argument, digits, direction, spec] = asked;
  if (Number(recorded.get(id)[PROGRAM_SECONDS]) > Number(most)) continue;
  let what, about = "";
  if (spec.includes('"')) {
    what = "names a file";
  } else {
    const question = {spec, digits: Number(digits), direction, [quantity === "epsilon" ? "delta" : "epsilon"]: argument};
    const told = await ask(JSON.stringify(question));
    if (told.failure) {
      [what, about] = ["failed", told.failure];
      ask = await engine();
    } else {
      const answer = JSON.parse(told.text);
      total += told.milliseconds;
      slowest = Math.max(slowest, told.milliseconds);
      what = answer.error ? "failed" : compare(asked, recorded.get(id), answer);
      about = answer.error ?? `[${answer.lower}, ${answer.upper}] ${Math.round(told.milliseconds)} ms ${answer.remark ?? ""}; recorded ${recorded.get(id).slice(1, 4).join(" ")}`;
    }
  }
  counts[what] = (counts[what] ?? 0) + 1;
  if (!["same", "alike", "names a file"].includes(what)) console.log(`${what} ${id} ${quantity} ${argument} ${digits} ${direction} ${spec}: ${about}`);
}
console.log(JSON.stringify(counts), `${(total / 1000).toFixed(1)} s in all, the slowest ${(slowest / 1000).toFixed(1)} s`);
process.exitCode = counts.disjoint ? 1 : 0;
