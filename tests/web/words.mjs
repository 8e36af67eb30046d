#!/usr/bin/env node
// Decimals as the page rounds them: a band stays a band, so an upper end is never rounded down, nor a lower one up.
import assert from "node:assert/strict";
import {rounded} from "../../web/site/verify/words.js";

for (const [text, digits, up, expected] of [
  ["2.085898361295589", 5, true, "2.0859"], ["2.085898361295114", 5, false, "2.0858"], ["2.08589", 5, true, "2.0859"],
  ["2.0858", 5, true, "2.0858"], ["9.99999999", 5, true, "10"], ["9.99999999", 5, false, "9.9999"], ["0", 5, true, "0"],
  ["1", 5, false, "1"], ["inf", 5, true, "inf"], ["1.23456789e-17", 5, true, "1.2346e-17"], ["1e-7", 5, true, "0.0000001"],
  ["123456789", 5, true, "123460000"], ["-1.23456", 5, true, "-1.2345"], ["-1.23456", 5, false, "-1.2346"],
  ["0.000123456", 3, true, "0.000124"], ["1e20", 5, true, "1e20"], ["0.99999999", 3, true, "1"],
]) {
  assert.equal(rounded(text, digits, up), expected.replace("0.0000001", "1e-7"), `${text}, ${digits} digits, ${up ? "up" : "down"}`);
}
let seed = 1;
const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
for (let i = 0; i < 5000; ++i) {
  const x = (random() - 0.3) * 10 ** Math.floor(40 * random() - 20), digits = 1 + Math.floor(8 * random());
  const upper = Number(rounded(String(x), digits, true)), lower = Number(rounded(String(x), digits, false));
  assert.ok(lower <= x && x <= upper, `${x}: [${lower}, ${upper}]`);
  assert.ok(upper - lower <= 10.0001 ** (1 - digits) * Math.abs(x), `${x}: [${lower}, ${upper}] of ${digits} digits`);
}
console.log("5017 decimals, 0 failed");
