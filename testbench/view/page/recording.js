// Reads the recording: parts, the state of their gauges in any cycle, instructions, accesses. Cycles are counted as in the run.

const data = JSON.parse(document.getElementById('recording').textContent);
const forms = data.forms, tones = data.tones;
const kNone = -1;

// Parts form a tree by their paths.
const parts = data.parts;
const gauges = [], counters = [];
parts.forEach((part, number) => {
  part.number = number;
  part.children = [];
  part.name = part.path.split('.').pop();
  part.label = part.name.replace(/^[a-z]+\d+_/, '').replace(/_/g, ' ');
  part.stem = part.name.replace(/\d+$/, '');
  part.gauges.forEach(gauge => {
    gauge.part = part;
    gauge.number = gauges.length;
    gauge.form = forms[gauge.form];
    gauge.states = gauge.states.map(([name, tone], index) => ({name, tone: tones[tone], index}));
    gauges.push(gauge);
  });
  part.counters = part.counters.map(([name, unit, doc]) => ({name, unit, doc, part}));
  counters.push(...part.counters);
});
const roots = [];
for (const part of parts) {
  const path = part.path.split('.');
  let parent = null;
  for (let length = path.length - 1; length > 0 && !parent; --length)
    parent = parts.find(other => other.path === path.slice(0, length).join('.'));
  part.parent = parent;
  (parent ? parent.children : roots).push(part);
}
const serves = (part, warp) => !!((warp < 32 ? part.warps[0] >>> warp : part.warps[1] >>> (warp - 32)) & 1) &&
    (!part.parent || serves(part.parent, warp));

// Instructions by uid and by warp. Their steps have the names that parts list in `steps`.
const instructions = data.instructions, byUid = new Map(), ofWarp = new Map(), issuedIn = new Map();
for (const one of instructions) {
  const [text, line] = data.texts[one.t];
  one.text = text;
  one.line = line;
  one.operation = text.split(' ')[text.startsWith('@') ? 1 : 0];
  one.steps = (one.k ? data.memory_steps : data.steps).map((name, i) => ({name, cycle: one.s[i]})).filter(s => s.cycle >= 0);
  one.issued = one.s[2];
  one.end = Math.max(...one.s);
  one.begin = one.steps.length ? one.steps[0].cycle : one.issued;
  one.done = one.s[7] >= 0;
  byUid.set(one.u, one);
  if (!ofWarp.has(one.w)) ofWarp.set(one.w, []);
  ofWarp.get(one.w).push(one);
  if (!issuedIn.has(one.issued)) issuedIn.set(one.issued, []);
  issuedIn.get(one.issued).push(one);
}
const warpsSeen = [...ofWarp.keys()].sort((a, b) => a - b);
const stepAt = (one, cycle) => {
  let last = null;
  for (const step of one.steps) if (step.cycle <= cycle) last = step;
  return last;
};

// Changes by cycle. In every kEvery-th recorded cycle, the state of all gauges is stored.
const cycles = data.cycles;
const recordOf = new Map(), passesOf = [];
for (const [index, record] of cycles.entries()) {
  if (!recordOf.has(record[0])) recordOf.set(record[0], []);
  recordOf.get(record[0]).push(index);
  const passes = record[3];
  for (let i = 0; i < passes.length; i += 7)
    passesOf.push({cycle: record[0], part: parts[passes[i]], command: data.commands[passes[i + 1]], warp: passes[i + 2],
                   reg: passes[i + 3], row: passes[i + 4], bank: passes[i + 5], entry: passes[i + 6]});
}
const passesIn = new Map();
for (const pass of passesOf) {
  if (!passesIn.has(pass.cycle)) passesIn.set(pass.cycle, []);
  passesIn.get(pass.cycle).push(pass);
}

const kEvery = 64;
const kept = [];
const current = {index: 0, values: gauges.map(() => [])};
const copyOf = values => values.map(cells => cells.slice());
function apply(record, values) {
  const changes = record[1];
  for (let i = 0; i < changes.length; i += 3) values[changes[i]][changes[i + 1]] = changes[i + 2];
}
(function keep() {
  const values = gauges.map(() => []);
  cycles.forEach((record, index) => {
    if (index % kEvery === 0) kept.push(copyOf(values));
    apply(record, values);
  });
})();
// Returns the values of all gauges at the end of a cycle.
function valuesAt(cycle) {
  let low = 0, high = cycles.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cycles[middle][0] <= cycle) low = middle + 1; else high = middle;
  }
  if (low < current.index || low - current.index > kEvery) {
    const from = Math.min(Math.floor(low / kEvery), kept.length - 1);
    current.values = kept.length ? copyOf(kept[from]) : current.values;
    current.index = Math.max(0, from * kEvery);
  }
  for (; current.index < low; ++current.index) apply(cycles[current.index], current.values);
  return current.values;
}
// Returns the counters that grew in a cycle, as a list of [counter, growth].
function countsIn(cycle) {
  const found = [];
  for (const index of recordOf.get(cycle) || []) {
    const steps = cycles[index][2];
    for (let i = 0; i < steps.length; i += 2) found.push([counters[steps[i]], steps[i + 1]]);
  }
  return found;
}

// growth: each counter's sum of increments up to the end of a cycle. eventsOf: the events of each part by cycle.
const growth = counters.map(() => []);
const eventsOf = parts.map(() => []);
for (const record of cycles) {
  const steps = record[2];
  for (let i = 0; i < steps.length; i += 2) {
    const points = growth[steps[i]], last = points.length ? points[points.length - 1][1] : 0;
    points.push([record[0], last + steps[i + 1]]);
    const events = eventsOf[counters[steps[i]].part.number], latest = events[events.length - 2];
    if (latest && latest[0] === record[0]) latest[1] += steps[i + 1];
    else events.push([record[0], steps[i + 1]], [record[0] + 1, 0]);
  }
}
for (const events of eventsOf) events.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
counters.forEach((counter, number) => { counter.number = number; });
const totalOf = counter => growth[counter.number].length ? growth[counter.number][growth[counter.number].length - 1][1] : 0;
function sumAt(counter, cycle) {
  const points = growth[counter.number];
  let low = 0, high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle][0] <= cycle) low = middle + 1; else high = middle;
  }
  return low ? points[low - 1][1] : 0;
}

// Returns one number for each recorded cycle of a gauge: the state of its only cell, or the amount that is in use.
const histories = new Map();
function historyOf(gauge) {
  if (histories.has(gauge)) return histories.get(gauge);
  const points = [], cells = [];
  let used = 0;
  const single = gauge.form === 'states' && gauge.most === 1;
  const counted = value => gauge.form === 'states' ? (gauge.states[value] || {}).tone === 'active' : value !== 0;
  if (gauge.form === 'states' && !single) for (let i = 0; i < gauge.most; ++i) if (counted(0)) ++used;
  if (used) points.push([data.from, used]);
  for (const record of cycles) {
    const changes = record[1];
    let changed = false;
    for (let i = 0; i < changes.length; i += 3) {
      if (changes[i] !== gauge.number) continue;
      const cell = changes[i + 1], before = cells[cell] || 0, now = changes[i + 2];
      cells[cell] = now;
      changed = true;
      if (single || gauge.form === 'amount') used = now;
      else used += counted(now) - counted(before);
    }
    if (changed) points.push([record[0], used]);
  }
  histories.set(gauge, points);
  return points;
}

// In gauges, a register is a number that is computed from its warp and its register number.
const registerOf = value => ({warp: (value - 1) >> 8, reg: (value - 1) & 255});
const registerNumber = (warp, reg) => (warp << 8 | reg) + 1;
const registerName = (warp, reg) => `r${reg} of ${warpName(warp)}`;
const warpName = warp => 'w' + String(warp).padStart(2, '0');

// Returns the parts that contain an instruction in a cycle: the parts that show it in a gauge of instructions. If no part
// does, returns the part of its last step.
function partsWith(one, cycle, values) {
  if (cycle < one.begin || (one.done && cycle > one.end)) return [];
  const found = new Set();
  for (const gauge of gauges)
    if (gauge.form === 'instructions' && values[gauge.number].includes(one.u + 1)) found.add(gauge.part);
  if (found.size) return [...found];
  const step = stepAt(one, cycle);
  return step ? partsOfStep(step.name, one.w) : [];
}
function partsOfStep(name, warp) {
  const all = parts.filter(part => part.steps.includes(name) && serves(part, warp));
  return all.slice(0, 1);
}
// Returns a map from each part to the first cycle in which the part contained the instruction.
function wayOf(one) {
  if (one.way) return one.way;
  one.way = new Map();
  for (const step of one.steps)
    for (const part of partsOfStep(step.name, one.w)) if (!one.way.has(part)) one.way.set(part, step.cycle);
  for (const record of cycles) {
    if (record[0] < one.issued || record[0] > one.end) continue;
    const changes = record[1];
    for (let i = 0; i < changes.length; i += 3)
      if (changes[i + 2] === one.u + 1 && gauges[changes[i]].form === 'instructions') {
        const part = gauges[changes[i]].part;
        one.way.set(part, Math.min(record[0], one.way.has(part) ? one.way.get(part) : Infinity));
      }
  }
  return one.way;
}

// Returns the accesses to a register in these cycles that register-file stages passed on.
const passesFor = (warp, reg, from, to) => passesOf.filter(
    pass => pass.warp === warp && pass.reg === reg && pass.cycle >= from && pass.cycle <= to);

// Returns all events of a register, in the order of cycles.
const trails = new Map();
function trailOf(warp, reg) {
  const key = registerNumber(warp, reg);
  if (trails.has(key)) return trails.get(key);
  const trail = [], name = 'r' + reg;
  for (const one of ofWarp.get(warp) || []) {
    for (const [operand, stage, values] of one.r || [])
      if (operand === name)
        trail.push({cycle: one.s[4] >= 0 ? one.s[4] : one.s[3] >= 0 ? one.s[3] : one.issued, what: 'read', one, values, where: data.stages[stage]});
    for (const [operand, , values] of one.o || [])
      if (operand === name) trail.push({cycle: one.s[7], what: 'written', one, values, where: ''});
  }
  for (const pass of passesOf)
    if (pass.warp === warp && pass.reg === reg) {
      const place = pass.bank >= 0 ? `, bank ${pass.bank}, entry ${pass.entry}` : '';
      const row = pass.row !== pass.reg ? ` as row ${pass.row}` : '';
      trail.push({cycle: pass.cycle, what: pass.command + ' goes down' + row, where: 'from ' + pass.part.label + place, one: null, values: ''});
    }
  for (const gauge of gauges) {
    if (gauge.form !== 'registers') continue;
    const held = new Set();
    for (const record of cycles) {
      const changes = record[1], before = held.size;
      for (let i = 0; i < changes.length; i += 3) {
        if (changes[i] !== gauge.number) continue;
        if (changes[i + 2] === key) held.add(changes[i + 1]); else held.delete(changes[i + 1]);
      }
      if (held.size === before) continue;
      const row = gauge.row ? [...held].map(cell => `row ${Math.floor(cell / gauge.row)}, entry ${cell % gauge.row}`)[0] : '';
      trail.push({cycle: record[0], what: held.size > before ? 'gets a place' : 'loses its place', one: null, values: '',
                  where: gauge.part.label + (held.size > before && row ? ': ' + row : '')});
    }
  }
  trail.sort((a, b) => a.cycle - b.cycle);
  trails.set(key, trail);
  return trail;
}
