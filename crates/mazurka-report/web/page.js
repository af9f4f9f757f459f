// @ts-check
"use strict";

/**
 * One line of an execution. `p`: process; `t`: text; `k`: kind; `s`: step, counted from 0; `f`: file;
 * `l`: line in the file, or 0; `x`: whether it is the failure; `d`: whether its order is decisive.
 * @typedef {{p: number, t: string, k: string, s: number, f: ?number, l: number, x: boolean, d: boolean}} Line
 *
 * The effects of a step. `a`: actions (object, operation, value, message); `r`: the steps that it reads from,
 * under a memory model; `e`: edges between processes; `b`: the steps that happen immediately before; `w`: the
 * processes that wait, and for which object. The operation "old" reads or writes a value that is not the
 * last one.
 * @typedef {{a: [number, string, string, ?number][], r: ?number[], e: [number, number][], b: number[],
 *   w: [number, number][]}} Step
 *
 * `word` is what a thread is called.
 * @typedef {{word: string, threads: string[], objects: [string, string][], lines: Line[], steps: Step[]}} Execution
 * @typedef {{name: string, kind: string, message: string, why: string, warning: boolean, replay: string,
 *   output: string, failing: Execution, passing: ?Execution}} Violation
 * @typedef {{title: string, summary: string, violations: Violation[],
 *   files: {name: string, text: ?string}[]}} Data
 *
 * A row on the screen: a line, or a fold of several lines.
 * @typedef {{line: number, folded: number}} Row
 */

/** @type {Data} */
const data = JSON.parse(byId("data").textContent || "");

/** @param {string} id @returns {HTMLElement} */
function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element;
}

/**
 * Creates an element.
 * @param {string} tag @param {string} [name] @param {string} [text] @returns {HTMLElement}
 */
function make(tag, name = "", text = "") {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text) element.textContent = text;
  return element;
}

/** The height of a row in pixels, as the style sheet has it. */
function rowHeight() {
  return parseInt(getComputedStyle(document.documentElement).getPropertyValue("--row"), 10) || 24;
}

const NUMBER = 56; // the width of the step numbers
const NARROW = 16; // the maximum width of a lane without text
// A row has the text of one lane, which may extend over the lanes to its right: only the last lane
// needs room for it.
const WIDE = 64; // the minimum width of a lane with text
const LAST = 210; // the minimum width of the last lane with text

/** The lanes of one execution, with virtual rows: only visible rows are elements. */
class Lanes {
  /** @param {HTMLElement} root @param {Execution} execution @param {(line: number) => void} onSelect */
  constructor(root, execution, onSelect) {
    this.execution = execution;
    this.onSelect = onSelect;
    this.selected = -1;
    this.isFolded = true;
    /** @type {Set<number>} lines whose fold was opened */
    this.opened = new Set();
    /** @type {Set<number>} */
    this.matches = new Set();
    /** @type {Row[]} */
    this.rows = [];
    /** The row of each line. @type {number[]} */
    this.rowOf = [];
    /** The height of a row, the width of a lane, and where texts beside the lanes start, in pixels. */
    this.height = rowHeight();
    this.lane = NARROW;
    this.beside = NUMBER;
    this.isWide = false;
    this.switches = switches(execution);
    /** The line of the operation of each step. @type {number[]} */
    this.lineOf = [];
    execution.lines.forEach((line, index) => {
      if (line.k === "operation") this.lineOf[line.s] = index;
    });
    root.textContent = "";
    this.names = make("div", "names");
    this.scroll = make("div", "scroll");
    this.scroll.tabIndex = 0;
    this.scroll.setAttribute("role", "listbox");
    this.scroll.setAttribute("aria-label", root.getAttribute("aria-label") || "");
    this.all = make("div", "all");
    this.arrows = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.arrows.setAttribute("class", "arrows");
    this.arrows.setAttribute("aria-hidden", "true");
    this.scroll.append(this.all);
    root.append(this.names, this.scroll);
    this.scroll.addEventListener("scroll", () => {
      this.names.scrollLeft = this.scroll.scrollLeft;
      this.draw();
    });
    this.all.addEventListener("click", (event) => {
      const row = /** @type {HTMLElement} */ (event.target).closest(".row");
      if (!(row instanceof HTMLElement)) return;
      this.click(this.rows[Number(row.dataset.row)]);
    });
    this.layOut();
  }

  /** Computes the rows and the lanes. */
  layOut() {
    const { lines, threads } = this.execution;
    const hidden = this.isFolded ? folds(this.execution, this.switches) : new Map();
    this.rows = [];
    this.rowOf = [];
    for (let line = 0; line < lines.length; line += 1) {
      const folded = hidden.get(line);
      if (folded && !this.opened.has(line)) {
        for (let i = 0; i < folded; i += 1) this.rowOf[line + i] = this.rows.length;
        this.rows.push({ line, folded });
        line += folded - 1;
      } else {
        this.rowOf[line] = this.rows.length;
        this.rows.push({ line, folded: 0 });
      }
    }
    this.height = rowHeight();
    const room = Math.max(this.scroll.clientWidth - NUMBER, 100);
    const others = threads.length - 1;
    this.isWide = others * WIDE + LAST <= room;
    // Without text, the lanes take at most a third of the width.
    this.lane = this.isWide
      ? Math.min(room / threads.length, (room - LAST) / Math.max(others, 1))
      : Math.min(NARROW, room / 3 / threads.length);
    this.beside = NUMBER + threads.length * this.lane + 12;
    this.all.style.height = `${this.rows.length * this.height}px`;
    this.names.parentElement?.style.setProperty("--rows", String(this.rows.length));
    this.names.textContent = "";
    if (this.isWide) {
      threads.forEach((name, thread) => {
        const isTight = this.lane < 8 * name.length;
        const label = make("span", "", isTight ? name.replace(/^thread /, "") : name);
        label.title = name;
        label.style.left = `${this.x(thread)}px`;
        label.style.maxWidth = `${this.lane - 8}px`;
        this.names.append(label);
      });
    } else {
      const { word } = this.execution;
      const label = make("span", "", `${threads.length} ${word.endsWith("s") ? `${word}es` : `${word}s`}`);
      label.style.left = `${NUMBER}px`;
      this.names.append(label);
    }
    this.draw();
  }

  /** @param {number} thread */
  x(thread) {
    return NUMBER + thread * this.lane;
  }

  /** Draws the visible rows. */
  draw() {
    const from = Math.max(0, Math.floor(this.scroll.scrollTop / this.height) - 10);
    const count = Math.ceil(this.scroll.clientHeight / this.height) + 20;
    const to = Math.min(this.rows.length, from + count);
    const drawn = [];
    for (let row = from; row < to; row += 1) drawn.push(this.drawRow(row));
    this.all.replaceChildren(...drawn, this.arrows);
    this.drawArrows();
  }

  /** @param {number} index */
  drawRow(index) {
    const { threads, lines } = this.execution;
    const { line, folded } = this.rows[index];
    const { p, t, k, s, x, d } = lines[line];
    const row = make("div", "row");
    row.dataset.row = String(index);
    row.style.top = `${index * this.height}px`;
    row.id = `${this.names.parentElement?.id}-${line}`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-setsize", String(this.rows.length));
    row.setAttribute("aria-posinset", String(index + 1));
    if (this.switches.block[line] % 2) row.classList.add("odd");
    if (this.switches.starts[line]) row.classList.add("switch");
    if (folded) {
      row.classList.add("fold");
      const text = make("span", "text", `⋯ ${folded} more operations of ${threads[p]}`);
      text.style.left = `${this.isWide ? this.x(p) : this.beside}px`;
      row.append(text);
      return row;
    }
    if (k === "operation") row.append(make("span", "number", String(s + 1)));
    else row.classList.add("other");
    if (x) row.classList.add("failing");
    if (d) row.classList.add("decisive");
    if (this.matches.has(line)) row.classList.add("match");
    row.setAttribute("aria-selected", String(line === this.selected));
    row.setAttribute("aria-label", this.describe(line));
    const sign = x ? "✗" : k === "operation" ? "●" : "○";
    if (this.isWide) {
      const text = make("span", "text", `${sign} ${t.split("\n")[0]}`);
      text.style.left = `${this.x(p)}px`;
      row.append(text);
    } else {
      const dot = make("span", "dot", sign);
      dot.style.left = `${this.x(p) + this.lane / 2 - NARROW / 2}px`;
      const text = make("span", "text", `${threads[p]}  ${t.split("\n")[0]}`);
      text.style.left = `${this.beside}px`;
      row.append(dot, text);
    }
    return row;
  }

  /** Says what a line is, for people who do not see the lanes. @param {number} line */
  describe(line) {
    const { lines, threads } = this.execution;
    const { p, t, k, s, f, l } = lines[line];
    const number = k === "operation" ? `step ${s + 1}, ` : "";
    const place = f === null ? "" : `, ${data.files[f].name}:${l}`;
    return `${number}${threads[p]}: ${t}${place}`;
  }

  /** Draws the arrows to and from the selected step. */
  drawArrows() {
    this.arrows.textContent = "";
    const line = this.execution.lines[this.selected];
    // A failure is a part of its step.
    const isStep = line && (line.k === "operation" || line.k === "failure");
    if (!isStep || this.execution.lines[this.lineOf[line.s]]?.p !== line.p) return;
    for (const [other, kind] of relations(this.execution, line.s)) {
      const [first, second] = other < line.s ? [other, line.s] : [line.s, other];
      this.arrow(this.lineOf[first], this.lineOf[second], kind);
    }
  }

  /** @param {number} first @param {number} second @param {string} kind */
  arrow(first, second, kind) {
    if (first === undefined || second === undefined) return;
    const { lines } = this.execution;
    const center = (/** @type {number} */ line) => [
      this.x(lines[line].p) + (this.isWide ? 5 : this.lane / 2),
      (this.rowOf[line] + 0.5) * this.height,
    ];
    const [x1, y1] = center(first);
    const [x2, y2] = center(second);
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    const bend = (y2 - y1) / 2;
    const head = `M ${x2 - 4} ${y2 - 9} L ${x2} ${y2 - 4} L ${x2 + 4} ${y2 - 9}`;
    path.setAttribute("d", `M ${x1} ${y1 + 4} C ${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2 - 4} ${head}`);
    path.setAttribute("class", kind);
    this.arrows.append(path);
  }

  /** @param {Row} row */
  click(row) {
    if (row.folded) {
      this.opened.add(row.line);
      this.layOut();
    } else {
      this.onSelect(row.line);
    }
    this.scroll.focus();
  }

  /** Selects a line and scrolls to it. @param {number} line */
  select(line) {
    this.selected = line;
    // Open the fold that hides the line.
    const row = this.rows[this.rowOf[line]];
    if (row && row.folded) {
      this.opened.add(row.line);
      this.layOut();
    }
    const top = this.rowOf[line] * this.height;
    const { scrollTop, clientHeight } = this.scroll;
    if (top < scrollTop + this.height || top > scrollTop + clientHeight - 2 * this.height) {
      this.scroll.scrollTop = Math.max(0, top - clientHeight / 2);
    }
    this.scroll.setAttribute("aria-activedescendant", `${this.names.parentElement?.id}-${line}`);
    this.draw();
  }

  /** Returns the visible line before or after the selected one. @param {number} by */
  neighbour(by) {
    const row = this.selected < 0 ? -1 : this.rowOf[this.selected];
    const next = Math.min(Math.max(row + by, 0), this.rows.length - 1);
    return this.rows[next].line;
  }

  /** Returns the first line of the next or previous block. @param {number} by */
  block(by) {
    const { starts } = this.switches;
    for (let line = this.selected + by; line >= 0 && line < starts.length; line += by) {
      if (starts[line]) return line;
    }
    return by < 0 ? 0 : this.execution.lines.length - 1;
  }
}

/**
 * Finds the context switches: the number of the block of each line, and whether it starts one.
 * @param {Execution} execution
 */
function switches({ lines }) {
  /** @type {number[]} */
  const block = [];
  /** @type {boolean[]} */
  const starts = [];
  let number = 0;
  lines.forEach((line, index) => {
    const before = lines[index - 1];
    const isSwitch = index > 0 && before.p !== line.p && (line.k === "operation" || before.s !== line.s);
    number += isSwitch ? 1 : 0;
    block.push(number);
    starts.push(isSwitch);
  });
  return { block, starts };
}

/**
 * Chooses the lines to fold: those in the middle of a long block that are neither a failure nor
 * decisive. Returns the length of each fold by its first line.
 * @param {Execution} execution @param {{block: number[], starts: boolean[]}} switches
 */
function folds({ lines }, { block, starts }) {
  const AROUND = 3;
  const SHORTEST = 4;
  const matters = new Uint8Array(lines.length);
  const show = (/** @type {number} */ from, /** @type {number} */ to) => {
    for (let i = Math.max(0, from); i < Math.min(to, lines.length); i += 1) matters[i] = 1;
  };
  show(0, AROUND);
  show(lines.length - 2 * AROUND, lines.length);
  lines.forEach((line, index) => {
    if (starts[index]) show(index - AROUND, index + AROUND);
    if (line.x || line.d) show(index - AROUND, index + AROUND);
  });
  /** @type {Map<number, number>} */
  const found = new Map();
  for (let from = 0; from < lines.length; ) {
    let to = from;
    while (to < lines.length && !matters[to] && block[to] === block[from]) to += 1;
    if (to - from >= SHORTEST) found.set(from, to - from);
    from = Math.max(to, from + 1);
  }
  return found;
}

/**
 * Returns the steps that a step is related to, and how: it happens after or before them, reads from
 * them, or receives a message from them.
 * @param {Execution} execution @param {number} step @returns {Map<number, string>}
 */
function relations({ steps }, step) {
  /** @type {Map<number, string>} */
  const found = new Map();
  const own = steps[step];
  if (!own) return found;
  own.b.forEach((before) => found.set(before, "hb"));
  for (let later = step + 1; later < steps.length; later += 1) {
    if (steps[later].b.includes(step)) found.set(later, "hb");
  }
  own.r?.forEach((source) => found.set(source, "reads"));
  for (const [object, op, , message] of own.a) {
    const isLook = !own.r && (op === "read" || op === "update" || op === "lock");
    for (let before = step - 1; before >= 0 && (isLook || op === "receive"); before -= 1) {
      const source = steps[before].a.find(
        (a) => a[0] === object && (isLook ? a[1] !== "read" : a[1] === "send" && a[3] === message),
      );
      if (source) {
        found.set(before, isLook ? "reads" : "message");
        break;
      }
    }
  }
  return found;
}

/**
 * Returns the state after a step: the value of each object, who holds it, and its messages.
 * @param {Execution} execution @param {number} step
 */
function stateAfter({ steps, lines }, step) {
  /** @type {Map<number, {value: string, holder: number, messages: [number, string][], step: number}>} */
  const objects = new Map();
  /** @type {number[]} */
  const mover = [];
  lines.forEach((line) => {
    if (line.k === "operation") mover[line.s] = line.p;
  });
  for (let i = 0; i <= Math.min(step, steps.length - 1); i += 1) {
    for (const [object, op, value, message] of steps[i].a) {
      const known = objects.get(object) || { value: "", holder: -1, messages: [], step: i };
      if (op === "send" && message !== null) known.messages.push([message, value]);
      else if (op === "receive") known.messages = known.messages.filter(([m]) => m !== message);
      else if (!["none", "nothing", "close", "old"].includes(op)) {
        known.value = value;
        if (op === "lock" && value !== "0") known.holder = mover[i];
        else if (op === "write" || value === "0") known.holder = -1;
      }
      if (op !== "read" && op !== "old") known.step = i;
      objects.set(object, known);
    }
  }
  return objects;
}

const view = {
  violation: 0,
  /** @type {?Lanes} */
  failing: null,
  /** @type {?Lanes} */
  passing: null,
  /** The lanes that the keys move in. @type {?Lanes} */
  active: null,
};

/** Shows a violation. @param {number} index */
function open(index) {
  view.violation = index;
  const violation = data.violations[index];
  document.querySelectorAll("#violations button").forEach((button, i) => {
    button.setAttribute("aria-current", String(i === index));
  });
  showText(byId("message"), violation.message);
  showText(byId("why"), violation.why);
  const replay = byId("replay");
  replay.textContent = violation.replay ? "To see it again: " : "";
  if (violation.replay) replay.append(make("code", "", violation.replay));
  byId("output").textContent = violation.output;
  byId("output-section").hidden = !violation.output;
  byId("beside").hidden = !violation.passing;
  byId("passing").hidden = !violation.passing || byId("beside").getAttribute("aria-pressed") !== "true";
  view.failing = new Lanes(byId("failing"), violation.failing, (line) => select("failing", line));
  view.passing = violation.passing
    ? new Lanes(byId("passing"), violation.passing, (line) => select("passing", line))
    : null;
  view.active = view.failing;
  search(/** @type {HTMLInputElement} */ (byId("search")).value, false);
  // Start at the failure.
  const { lines } = violation.failing;
  const wrong = lines.findIndex((line) => line.x);
  if (lines.length) select("failing", wrong < 0 ? lines.length - 1 : wrong, false);
}

/** Selects a line of an execution. @param {"failing" | "passing"} which @param {number} line @param {boolean} [link] */
function select(which, line, link = true) {
  const lanes = view[which];
  if (!lanes) return;
  view.active = lanes;
  lanes.select(line);
  const { s, k } = lanes.execution.lines[line];
  byId("announcer").textContent = lanes.describe(line);
  showState(lanes.execution, s);
  showSource(lanes.execution, line);
  if (link && which === "failing" && k === "operation") {
    const prefix = view.violation ? `violation-${view.violation + 1}-` : "";
    history.replaceState(null, "", `#${prefix}step-${s + 1}`);
  }
}

/** Returns the messages of a mailbox, the oldest first. @param {[number, string][]} messages */
function contents(messages) {
  const SHOWN = 8;
  if (!messages.length) return "empty";
  const texts = messages.slice(0, SHOWN).map(([, text]) => text);
  const more = messages.length - texts.length;
  return texts.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** @param {Execution} execution @param {number} step */
function showState(execution, step) {
  const { objects, threads, steps } = execution;
  const state = byId("state");
  state.textContent = "";
  const after = stateAfter(execution, step);
  const waiting = (steps[Math.min(step, steps.length - 1)] || { w: [] }).w;
  const groups = /** @type {[string, string, string[]][]} */ ([
    ["variable", "Variables", ["name", "value"]],
    ["lock", "Locks", ["name", "held by", "waiting"]],
    ["queue", "Mailboxes and queues", ["name", "messages", "waiting"]],
  ]);
  for (const [kind, title, columns] of groups) {
    /** @type {HTMLElement[]} */
    const rows = [];
    objects.forEach(([name, itsKind], object) => {
      const known = after.get(object);
      const waiters = waiting.filter((w) => w[1] === object).map((w) => threads[w[0]]).join(", ");
      if (itsKind !== kind || !name || (!known && !waiters)) return;
      const row = make("tr", known && known.step === step ? "changed" : "");
      row.append(make("td", "", name));
      if (kind === "variable") row.append(make("td", "", known ? known.value : ""));
      if (kind === "lock") row.append(make("td", "", known && known.holder >= 0 ? threads[known.holder] : "free"));
      if (kind === "queue") row.append(make("td", "", known ? contents(known.messages) : "empty"));
      if (kind !== "variable") row.append(make("td", "", waiters));
      rows.push(row);
    });
    if (!rows.length) continue;
    const table = document.createElement("table");
    table.dataset.kind = kind;
    const caption = make("caption", "", title);
    caption.style.textAlign = "left";
    const head = make("tr");
    head.append(...columns.map((column) => {
      const cell = make("th", "", column);
      cell.setAttribute("scope", "col");
      return cell;
    }));
    table.append(caption, head, ...rows);
    state.append(table);
  }
  if (!state.childNodes.length) state.textContent = "nothing was accessed yet";
}

/** Shows the file of a line, and where every thread is in it. @param {Execution} execution @param {number} index */
function showSource({ lines, threads }, index) {
  /** The last place of each thread. @type {Map<number, Line>} */
  const places = new Map();
  for (let i = 0; i <= index; i += 1) {
    if (lines[i].k === "end") places.delete(lines[i].p);
    else if (lines[i].f !== null && lines[i].l > 0) places.set(lines[i].p, lines[i]);
  }
  const here = lines[index].f !== null ? lines[index] : places.get(lines[index].p);
  const source = byId("source");
  const elsewhere = byId("elsewhere");
  source.textContent = "";
  elsewhere.textContent = "";
  if (!here || here.f === null) {
    byId("file").textContent = "Source";
    source.textContent = "this step has no place in the source";
    return;
  }
  const file = data.files[here.f];
  byId("file").textContent = `${file.name}:${here.l}`;
  if (file.text === null) {
    source.textContent = "the file could not be read when this page was written";
    return;
  }
  const text = file.text.split("\n");
  const from = Math.max(1, here.l - 12);
  const to = Math.min(text.length, here.l + 12);
  for (let number = from; number <= to; number += 1) {
    const row = make("div", number === here.l ? "code here" : "code");
    row.append(make("span", "line", String(number)), make("span", "", text[number - 1] || " "));
    const who = [...places].filter(([, line]) => line.f === here.f && line.l === number);
    if (who.length) row.append(make("span", "who", `◀ ${who.map(([p]) => threads[p]).join(", ")}`));
    source.append(row);
  }
  for (const [p, line] of places) {
    if (line.f === null || (line.f === here.f && line.l >= from && line.l <= to)) continue;
    elsewhere.append(make("li", "", `${threads[p]} is at ${data.files[line.f].name}:${line.l}`));
  }
}

/**
 * Shows a text with code in backticks. The numbers of steps are links.
 * @param {HTMLElement} element @param {string} text
 */
function showText(element, text) {
  element.textContent = "";
  for (const part of text.split(/(`[^`]*`|\bstep \d+)/)) {
    const step = /^step (\d+)$/.exec(part);
    if (part.startsWith("`") && part.length > 1) {
      element.append(make("code", "", part.slice(1, -1)));
    } else if (step) {
      const link = make("button", "link", part);
      link.addEventListener("click", () => {
        const line = view.failing?.lineOf[Number(step[1]) - 1];
        if (line !== undefined) select("failing", line);
      });
      element.append(link);
    } else {
      element.append(part);
    }
  }
}

/** Marks the lines that contain a text, and selects the first one. @param {string} text @param {boolean} go */
function search(text, go) {
  const wanted = text.trim().toLowerCase();
  let count = 0;
  for (const lanes of [view.failing, view.passing]) {
    if (!lanes) continue;
    lanes.matches.clear();
    if (wanted) {
      lanes.execution.lines.forEach((line, index) => {
        const where = `${line.t} ${lanes.execution.threads[line.p]}`.toLowerCase();
        if (where.includes(wanted)) lanes.matches.add(index);
      });
    }
    count += lanes.matches.size;
    lanes.draw();
  }
  byId("matches").textContent = wanted ? `${count} found` : "";
  if (go) nextMatch(1);
}

/** @param {number} by */
function nextMatch(by) {
  const lanes = view.active;
  if (!lanes || !lanes.matches.size) return;
  const lines = [...lanes.matches];
  const after = by > 0 ? lines.find((l) => l > lanes.selected) : lines.reverse().find((l) => l < lanes.selected);
  lanes.onSelect(after === undefined ? lines[0] : after);
}

/** Follows a link such as `#step-12` or `#violation-2-step-12`. */
function follow() {
  const found = /^#(?:violation-(\d+)-)?step-(\d+)$/.exec(location.hash);
  if (!found) return;
  const violation = Number(found[1] || 1) - 1;
  if (violation !== view.violation && data.violations[violation]) open(violation);
  const line = view.failing?.lineOf[Number(found[2]) - 1];
  if (line !== undefined) select("failing", line, false);
}

function toggleFold() {
  const button = byId("fold");
  const isFolded = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(isFolded));
  for (const lanes of [view.failing, view.passing]) {
    if (!lanes) continue;
    lanes.isFolded = isFolded;
    lanes.opened.clear();
    lanes.layOut();
    if (lanes.selected >= 0) lanes.select(lanes.selected);
  }
}

function toggleBeside() {
  if (!view.passing) return;
  const button = byId("beside");
  const isShown = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(isShown));
  byId("passing").hidden = !isShown;
  view.failing?.layOut();
  view.passing.layOut();
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const input = /** @type {HTMLInputElement} */ (byId("search"));
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === input) {
    if (event.key === "Enter") nextMatch(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") view.active?.scroll.focus();
    return;
  }
  const lanes = view.active;
  if (!lanes) return;
  const page = Math.max(1, Math.floor(lanes.scroll.clientHeight / lanes.height) - 2);
  /** @type {{[key: string]: () => void}} */
  const keys = {
    ArrowDown: () => lanes.onSelect(lanes.neighbour(1)),
    ArrowUp: () => lanes.onSelect(lanes.neighbour(-1)),
    ArrowRight: () => lanes.onSelect(lanes.block(1)),
    ArrowLeft: () => lanes.onSelect(lanes.block(-1)),
    PageDown: () => lanes.onSelect(lanes.neighbour(page)),
    PageUp: () => lanes.onSelect(lanes.neighbour(-page)),
    Home: () => lanes.onSelect(0),
    End: () => lanes.onSelect(lanes.execution.lines.length - 1),
    n: () => nextMatch(1),
    N: () => nextMatch(-1),
    f: toggleFold,
    p: toggleBeside,
    "/": () => input.focus(),
  };
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

function start() {
  byId("title").textContent = data.title;
  byId("summary").textContent = data.summary;
  if (data.violations.length > 1) {
    const programs = new Set(data.violations.map((violation) => violation.name));
    data.violations.forEach((violation, index) => {
      const kind = violation.warning ? `warning: ${violation.kind}` : violation.kind;
      const program = programs.size > 1 ? `${violation.name}: ` : "";
      const button = make("button", "", `${index + 1}: ${program}${kind}`);
      button.addEventListener("click", () => open(index));
      byId("violations").append(button, " ");
    });
  }
  const input = /** @type {HTMLInputElement} */ (byId("search"));
  input.addEventListener("input", () => search(input.value, true));
  byId("fold").addEventListener("click", toggleFold);
  byId("beside").addEventListener("click", toggleBeside);
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", follow);
  window.addEventListener("resize", () => {
    view.failing?.layOut();
    view.passing?.layOut();
  });
  if (!data.violations.length) {
    byId("message").textContent = "No violation was found.";
    return;
  }
  open(0);
  follow();
}

start();
