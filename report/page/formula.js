// This file evaluates the formula of a report: the figures for other overheads and clocks.
// estimate/formula describes it; estimate/table/value.go and simulate.go compute the same
// to the last bit, so that each step here is in their order.

// evalFormula returns sequential and parallel seconds by technique, for inputs in the order
// of formula.inputs.
function evalFormula(formula, inputs) {
  const first = inputs[formula.processors[0].clock];
  const factor = formula.processors.map((p) => first / inputs[p.clock]);
  const machine = { // in cycles of the first processor
    factor, serial: formula.serial,
    create: formula.processors.map((p, i) => inputs[p.create] * factor[i]),
    sync: formula.processors.map((p, i) => inputs[p.sync] * factor[i]),
  };
  const all = {};
  for (const t of formula.techniques) {
    all[t.technique] = {
      sequential_seconds: t.sequential / (inputs[formula.processors[formula.serial].clock] * 1e6),
      parallel_seconds: formulaValue(t.rows, machine) / (first * 1e6),
    };
  }
  return all;
}

// formulaValue adds up the rows.
function formulaValue(rows, m) {
  let total = rows.base * m.factor[m.serial];
  for (const f of rows.flat || []) {
    const forks = f.on.some((p) => p !== m.serial), stride = 1 + f.on.length;
    let sum = 0;
    for (let i = 0; i < f.rows.length; i += stride) {
      let longest = 0;
      f.on.forEach((p, k) => {
        let x = f.rows[i + 1 + k] * m.factor[p];
        if (forks) x += (m.create[p] + m.sync[p]) * f.runs;
        longest = Math.max(longest, x);
      });
      sum += f.rows[i] * longest;
    }
    total += sum;
  }
  for (const { fork, weight } of rows.roots || []) total += weight * formulaPlay(rows.forks, fork, m);
  return total;
}

// The stages of a job: what a processor does of a fork.
const formulaStages = { create: 0, lane: 1, sync: 2, end: 3 };

// formulaPlay returns when a fork that the serial processor meets ends. Each processor
// runs one thing at a time and has a queue of what others sent it; while it waits for
// others it runs what is in its queue, first come first served, each to its end.
function formulaPlay(forks, root, m) {
  const processors = m.factor.map(() => ({ stack: [], until: Infinity, queue: [], next: 0 }));
  const top = (q) => q.stack[q.stack.length - 1];

  function meet(p, fork, now) {
    const f = forks[fork];
    if (f.on.every((q) => q === p)) {
      processors[p].stack.push({ fork: f, team: null, stage: formulaStages.lane, part: 0, times: 0, inside: false });
      return;
    }
    const team = { left: f.on.length, owner: p };
    const job = () => ({ fork: f, team, stage: formulaStages.create, part: 0, times: 0, inside: false });
    for (const on of f.on) {
      if (on === p) continue;
      const q = processors[on];
      q.queue.push(job());
      if (q.stack.length === 0 || top(q).waits) q.until = now;
    }
    processors[p].stack.push({ waits: team });
    if (f.on.includes(p)) processors[p].stack.push(job());
  }

  // work goes on with a job and returns the time of its next step, 0 when another is on top.
  function work(p, job, now) {
    const q = processors[p], f = job.fork;
    switch (job.stage) {
      case formulaStages.create:
        job.stage = formulaStages.lane;
        return m.create[p] * f.runs;
      case formulaStages.sync:
        job.stage = formulaStages.end;
        return m.sync[p] * f.runs;
      case formulaStages.end: {
        const t = job.team;
        q.stack.pop();
        if (t && --t.left === 0 && t.owner !== p && top(processors[t.owner]).waits === t) processors[t.owner].until = now;
        return 0;
      }
    }
    const lane = f.lanes[f.on.indexOf(p)];
    while (job.part < lane.length) {
      const [cycles, inner, times] = lane[job.part];
      if (!job.inside) {
        job.inside = true;
        const own = cycles * m.factor[p];
        if (own > 0) return own;
        continue;
      }
      job.inside = false;
      if (inner === undefined || ++job.times === times) {
        job.part++;
        job.times = 0;
      }
      if (inner === undefined) continue;
      meet(p, inner, now);
      return 0;
    }
    job.stage = job.team ? formulaStages.sync : formulaStages.end;
    return 0;
  }

  // step lets a processor go on until it spends time, or waits for what is not there.
  function step(p, now) {
    const q = processors[p];
    for (;;) {
      const job = top(q);
      if (job && !job.waits) {
        const spent = work(p, job, now);
        if (spent > 0) {
          q.until = now + spent;
          return;
        }
      } else if (job && job.waits.left === 0) {
        q.stack.pop();
      } else if (q.next === q.queue.length) {
        q.until = Infinity;
        return;
      } else {
        q.stack.push(q.queue[q.next++]);
      }
    }
  }

  meet(m.serial, root, 0);
  for (let at = m.serial, now = 0; ;) {
    step(at, now);
    if (processors[m.serial].stack.length === 0) return now;
    now = Infinity;
    processors.forEach((q, p) => {
      if (q.until < now) {
        now = q.until;
        at = p;
      }
    });
  }
}
