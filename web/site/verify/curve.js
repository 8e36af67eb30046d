// The curve of epsilon and delta, drawn while its points come: first far apart, then between.
import {element, put, rounded} from "./words.js";

const WIDTH = 460, HEIGHT = 300, LEFT = 52, RIGHT = 14, TOP = 30, BOTTOM = 42;
const LARGEST = -1, SMALLEST = -13, STEPS = 24;  // powers of ten of delta, and into how many steps they are cut

export class Curve {
  #points = [];

  /// @param asked {delta, epsilon}: the point that was asked for.
  constructor(figure, asked) {
    this.figure = figure;
    this.asked = asked;
    this.draw();
  }

  /// The deltas of the points, as texts.
  * questions() {
    for (const [first, step] of [[0, 12], [6, 12], [3, 6], [1, 3], [2, 3]]) {
      for (let i = first; i <= STEPS; i += step) yield this.#delta(i);
    }
  }

  #delta(i) {
    const power = LARGEST + (SMALLEST - LARGEST) * i / STEPS, whole = Math.floor(power + 1e-9);
    return power - whole < 0.25 ? `1e${whole}` : `3.162e${whole}`;
  }

  add(delta, answer) {
    const epsilon = Number(answer.upper);
    if (!Number.isFinite(epsilon) || !answer.certified) return;
    this.#points.push({delta, epsilon, lower: Number(answer.lower)});
    this.#points.sort((one, other) => other.delta - one.delta);
    this.draw();
  }

  done() { this.draw(true); }

  draw(done = false) {
    const most = 1.08 * Math.max(this.asked.epsilon, ...this.#points.map(each => each.epsilon)) || 1;
    const x = epsilon => LEFT + (WIDTH - LEFT - RIGHT) * epsilon / most;
    const y = delta => TOP + (HEIGHT - TOP - BOTTOM) * (LARGEST - Math.log10(delta)) / (LARGEST - SMALLEST);
    const bottom = HEIGHT - BOTTOM;
    const corners = this.#points.map(each => `${x(each.epsilon).toFixed(1)},${y(each.delta).toFixed(1)}`);
    const ticks = stepsOf(most).map(value => element("g", {},
      element("line", {class: "axis", x1: x(value), x2: x(value), y1: bottom, y2: bottom + 4}),
      element("text", {x: x(value), y: bottom + 19, "text-anchor": "middle"}, String(value))));
    const levels = [-1, -4, -7, -10, -13].map(power => element("g", {},
      element("line", {class: "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: y(10 ** power), y2: y(10 ** power)}),
      element("text", {x: LEFT - 7, y: y(10 ** power) + 5, "text-anchor": "end"}, `1e${power}`)));
    const where = {x: x(this.asked.epsilon), y: y(Number(this.asked.delta))};
    const inside = where.y >= TOP && where.y <= bottom, left = where.x > WIDTH * 0.6;
    put(this.figure,
      element("svg", {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img"},
        element("title", {}, "delta against epsilon"), ...levels, ...ticks,
        corners.length > 1 && element("polygon", {class: "area", points:
          `${LEFT},${y(this.#points[0].delta).toFixed(1)} ${corners.join(" ")} ${LEFT},${y(this.#points.at(-1).delta).toFixed(1)}`}),
        corners.length > 1 && element("polyline", {class: "line", points: corners.join(" ")}),
        ...this.#points.map(each => element("circle", {class: "dot", cx: x(each.epsilon), cy: y(each.delta), r: 3},
          element("title", {}, `epsilon in [${each.lower}, ${each.epsilon}] at delta = ${each.delta}`))),
        inside && element("circle", {class: "asked", cx: where.x, cy: where.y, r: 5.5}),
        inside && element("text", {class: "asked-text", x: where.x + (left ? -11 : 11), y: where.y - 9, "text-anchor": left ? "end" : "start"},
          `ε = ${rounded(String(this.asked.epsilon), 4, true)}`),
        element("text", {x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 4, "text-anchor": "middle"}, "epsilon"),
        element("text", {x: LEFT - 7, y: 13, "text-anchor": "end"}, "delta")),
      element("figcaption", {}, done ? `${this.#points.length} points, each a proven band narrower than its dot.`
        : `Drawing: ${this.#points.length} of ${STEPS + 1} points`));
  }
}

/// Four or so round numbers from 0.
function stepsOf(most) {
  const rough = most / 4, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(each => each * power).find(each => each >= rough);
  return Array.from({length: Math.floor(most / step) + 1}, (_, i) => Number((i * step).toPrecision(6)));
}
