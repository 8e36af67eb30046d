// Decimals, and pieces of the page.

/// A decimal of a band with so many significant digits, rounded up or down: the band stays a band.
export function rounded(text, digits, up) {
  if (!/^-?\d/.test(text)) return text;  // inf
  const [mantissa, power = "0"] = text.toLowerCase().split("e");
  const negative = mantissa.startsWith("-");
  const [whole, fraction = ""] = mantissa.replace("-", "").split(".");
  let figures = (whole + fraction).replace(/^0+/, "");
  if (figures === "") return "0";
  let exponent = Number(power) - fraction.length;  // the number is figures 10^exponent
  if (figures.length > digits) {
    const cut = figures.length - digits;
    const more = /[1-9]/.test(figures.slice(digits));
    let kept = BigInt(figures.slice(0, digits));
    if (more && up !== negative) kept += 1n;
    figures = String(kept);
    exponent += cut;
  }
  const trimmed = figures.replace(/0+$/, "");
  exponent += figures.length - trimmed.length;
  return (negative ? "-" : "") + plain(trimmed, exponent);
}

function plain(figures, exponent) {
  const point = figures.length + exponent;  // digits before the point
  if (point > 15 || point < -3) {
    return figures[0] + (figures.length > 1 ? "." + figures.slice(1) : "") + "e" + (point - 1);
  }
  if (exponent >= 0) return figures + "0".repeat(exponent);
  return point > 0 ? figures.slice(0, point) + "." + figures.slice(point) : "0." + "0".repeat(-point) + figures;
}

export function seconds(milliseconds) {
  return milliseconds < 1000 ? `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(milliseconds < 1e4 ? 1 : 0)} s`;
}

/// element("p", {class: "quiet"}, "text", child, ...); what is given as text stays text.
export function element(name, attributes = {}, ...children) {
  const svg = ["svg", "g", "path", "line", "text", "circle", "polyline", "polygon", "title"].includes(name);
  const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "click") made.addEventListener("click", value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter(child => child !== undefined && child !== null && child !== false));
  return made;
}

/// In the place of what stands in `where`; what is false or nothing is left out.
export const put = (where, ...children) => where.replaceChildren(...children.filter(child => child || child === 0));

/// Rows of a name and what it is; those without anything are left out.
export function rows(pairs) {
  return element("dl", {}, ...pairs.filter(([, what]) => what).flatMap(([name, what]) =>
    [element("dt", {}, name), element("dd", {}, ...(Array.isArray(what) ? what : [what]))]));
}

export const list = items => element("ul", {}, ...items.map(item => element("li", {}, item)));

export function sign(good) {
  return element("svg", {viewBox: "0 0 48 48", "aria-hidden": "true"},
    element("circle", {cx: 24, cy: 24, r: 22, fill: "currentColor"}),
    element("path", {d: good ? "M13 25l8 8 14-17" : "M16 16l16 16M32 16L16 32", fill: "none", stroke: "var(--paper)",
      "stroke-width": 5, "stroke-linecap": "round", "stroke-linejoin": "round"}));
}
