// This file evaluates the formula of a report: the figures for other overheads and clocks.
// estimate/formula/tape.go describes the tape, run.go beside it computes the same to the
// last bit; operations have the same order in both.

"use strict";

// evalFormula returns the outputs of a formula, in seconds, for inputs in the order of
// formula.inputs. An output is NaN where a recursion has no solution under the inputs.
function evalFormula(formula, inputs) {
  const { steps, values } = formulaSteps(formula);
  const machine = { steps, inputs, values: new Float64Array(values), slopes: null, unknowns: 0, rounds: 0 };
  const end = steps.length - 1;
  formulaRun(machine, 0, end);
  return steps[end].forms.map((f) => formulaSum(machine, f));
}

// formulaRead keeps the steps of tapes, so that each is read once.
const formulaRead = new WeakMap();

// formulaSteps reads a tape.
function formulaSteps(formula) {
  let read = formulaRead.get(formula);
  if (read) return read;
  const tape = formula.tape;
  let at = 0;
  const readForm = () => {
    const ids = [];
    const coefs = [];
    for (let n = tape[at++]; ids.length < n; ) {
      let id = tape[at++];
      let length = 1;
      if (id < 0) {
        length = -id;
        id = tape[at++];
      }
      for (let i = 0; i < length; i++) {
        ids.push(id + i);
        coefs.push(tape[at++]);
      }
    }
    return { ids, coefs, at: 0 };
  };
  const times = (n, make) => Array.from({ length: n }, make);
  const steps = [];
  const unknown = new Map(); // by value: its step
  let values = 0;
  for (let done = false; !done; ) {
    const s = { op: tape[at++], first: values, end: -1 };
    let made = 1;
    switch (s.op) {
      case 0: // seconds of a cycle
        s.input = tape[at++];
        break;
      case 1: // overhead
        s.input = tape[at++];
        s.value = tape[at++];
        break;
      case 2: // sum
        s.forms = [readForm()];
        break;
      case 3: { // maxima
        const args = tape[at++];
        made = s.rows = tape[at++];
        const alike = []; // by term: its coefficient stands once, before the others
        s.shapes = times(args, () => {
          const n = tape[at++];
          return times(n, () => {
            const id = tape[at++];
            alike.push(id < 0);
            return id < 0 ? -1 - id : id;
          });
        });
        s.coefs = new Float64Array(s.rows * alike.length);
        for (let row = 0, k = 0; row < s.rows; row++) {
          const same = alike.includes(true) ? tape[at++] : 0;
          for (const yes of alike) s.coefs[k++] = yes ? same : tape[at++];
        }
        break;
      }
      case 4: // unknown
        unknown.set(values, steps.length);
        break;
      case 5: // system
        made = 0;
        s.value = tape[at++];
        s.ids = [];
        s.forms = times(tape[at++], () => {
          s.ids.push(tape[at++]);
          return readForm();
        });
        steps[unknown.get(s.ids[0])].end = steps.length;
        break;
      case 6: // outputs
        made = 0;
        s.forms = times(tape[at++], readForm);
        done = true;
        break;
      default:
        throw new Error(`the formula has an operation ${s.op}: it is of another version`);
    }
    steps.push(s);
    values += made;
  }
  read = { steps, values };
  formulaRead.set(formula, read);
  return read;
}

function formulaRun(m, from, to) {
  for (let i = from; i < to; i++) {
    const s = m.steps[i];
    switch (s.op) {
      case 0:
        m.values[s.first] = 1 / (m.inputs[s.input] * 1e6);
        break;
      case 1:
        m.values[s.first] = m.inputs[s.input] * m.values[s.value];
        break;
      case 2:
        formulaSet(m, s.first, formulaSum(m, s.forms[0]), s.forms[0]);
        break;
      case 3:
        formulaMaxima(m, s);
        break;
      case 4:
        if (s.end > i) {
          formulaSolve(m, i, s.end);
          i = s.end;
        }
        break;
    }
  }
}

function formulaSet(m, value, x, form) {
  m.values[value] = x;
  if (m.slopes) m.slopes[value] = formulaSlope(m, form);
}

function formulaSum(m, { ids, coefs, at }) {
  let x = 0;
  for (let i = 0; i < ids.length; i++) x += coefs[at + i] * m.values[ids[i]];
  return x;
}

// formulaSlope tells by how much a sum grows with each unknown, null when it does not.
function formulaSlope(m, { ids, coefs, at }) {
  let out = null;
  for (let i = 0; i < ids.length; i++) {
    const slope = m.slopes[ids[i]];
    if (!slope) continue;
    if (!out) out = new Float64Array(m.unknowns);
    for (let u = 0; u < m.unknowns; u++) out[u] += coefs[at + i] * slope[u];
  }
  return out;
}

// formulaMaxima makes the values of a step of maxima. The first of equal sums counts.
function formulaMaxima(m, s) {
  let at = 0;
  for (let row = 0; row < s.rows; row++) {
    let largest = 0;
    let chosen = null;
    for (const ids of s.shapes) {
      const form = { ids, coefs: s.coefs, at };
      at += ids.length;
      const x = formulaSum(m, form);
      if (!chosen || x > largest || Number.isNaN(x)) {
        largest = x;
        chosen = form;
      }
    }
    formulaSet(m, s.first + row, largest, chosen);
  }
}

// formulaSolve finds the least solution of a system by Newton's method, from 0 upward.
function formulaSolve(m, from, end) {
  const mostRounds = 1000; // for this system
  const allRounds = 10000; // for all, as systems can lie within systems
  const s = m.steps[end];
  const n = s.ids.length;
  const { slopes, unknowns } = m;
  m.slopes = new Array(m.values.length).fill(null);
  m.unknowns = n;
  const x = new Float64Array(n);
  s.ids.forEach((id, u) => {
    m.values[id] = 0;
    m.slopes[id] = new Float64Array(n);
    m.slopes[id][u] = 1;
  });
  let last = Infinity;
  let solved = false;
  for (let round = 0; round < mostRounds && m.rounds < allRounds; round++) {
    m.rounds++;
    formulaRun(m, from + 1, end);
    const next = formulaTangent(m, s, x);
    if (!next) break;
    let change = 0;
    for (let u = 0; u < n; u++) {
      change = Math.max(change, Math.abs(next[u] - x[u]) / Math.max(Math.abs(next[u]), Number.MIN_VALUE));
      x[u] = m.values[s.ids[u]] = next[u];
    }
    if (change < 1e-14 || (change < 1e-10 && change >= last)) {
      solved = true;
      break;
    }
    last = change;
  }
  if (!solved) for (const id of s.ids) m.values[id] = NaN;
  formulaRun(m, from + 1, end); // what else depends on the unknowns
  m.slopes = slopes;
  m.unknowns = unknowns;
}

// formulaTangent solves the linear system of the sums that the maxima chose.
function formulaTangent(m, s, x) {
  const n = s.ids.length;
  const a = [];
  const b = new Float64Array(n);
  for (let u = 0; u < n; u++) {
    a.push(new Float64Array(n));
    a[u][u] = 1;
    b[u] = formulaSum(m, s.forms[u]);
    const slope = formulaSlope(m, s.forms[u]);
    if (!slope) continue;
    for (let v = 0; v < n; v++) {
      a[u][v] -= slope[v];
      b[u] -= slope[v] * x[v];
    }
  }
  for (let c = 0; c < n; c++) { // Gauss's elimination, with the largest pivot
    let p = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(a[r][c]) > Math.abs(a[p][c])) p = r;
    [a[c], a[p]] = [a[p], a[c]];
    [b[c], b[p]] = [b[p], b[c]];
    if (a[c][c] === 0) return null;
    for (let r = c + 1; r < n; r++) {
      const w = a[r][c] / a[c][c];
      for (let k = c; k < n; k++) a[r][k] -= w * a[c][k];
      b[r] -= w * b[c];
    }
  }
  let largest = 0;
  for (let r = n - 1; r >= 0; r--) {
    for (let k = r + 1; k < n; k++) b[r] -= a[r][k] * b[k];
    b[r] /= a[r][r];
    largest = Math.max(largest, Math.abs(b[r]));
  }
  for (const v of b) if (!Number.isFinite(v) || v < -1e-9 * largest) return null;
  return b;
}
