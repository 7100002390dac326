// The column next to the machine: what happens in the cycle, the followed instruction, the followed register, and the
// instructions of the warp.

const details = {};
const kStepNames = {fetched: 'fetch', ready: 'in the buffer', issued: 'issue', prepared: 'collector', reads_held: 'has its operands',
                    dispatched: 'execute', accessed: 'access memory', left: 'result', completed: 'written back'};
const stepName = name => kStepNames[name] || name;

function makeDetails() {
  const frame = element('aside', 'details');
  for (const name of ['instruction', 'register', 'now', 'warp']) {
    details[name] = element('section', name);
    frame.append(details[name]);
  }
  return frame;
}

function drawDetails() {
  drawInstruction();
  drawRegister();
  drawNow();
  drawWarp();
}

function heading(text, close) {
  const made = element('h2', '', text);
  if (close) {
    const button = element('button', 'close', '✕');
    button.setAttribute('aria-label', 'stop following');
    button.addEventListener('click', close);
    made.append(button);
  }
  return made;
}

function drawNow() {
  const list = element('ul');
  const put = (word, one) => {
    const item = element('li');
    item.append(element('span', 'verb', word), instructionChip(one, warpName(one.w)), element('code', '', one.text));
    list.append(item);
  };
  for (const one of issuedIn.get(shown.cycle) || []) put('issues', one);
  if (!list.children.length) {
    const next = instructions.find(one => one.issued > shown.cycle);
    list.append(element('li', 'soft', next ? `No instruction issues; the next one in cycle ${next.issued}.` : 'No instruction issues.'));
  }
  details.now.replaceChildren(heading(`Cycle ${shown.cycle}`), list);
}

function rowOf(...cells) {
  const row = element('tr');
  for (const cell of cells) {
    const made = element('td');
    made.append(cell);
    row.append(made);
  }
  return row;
}
const jump = cycle => {
  const button = element('button', 'link', String(cycle));
  button.classList.toggle('now', cycle === shown.cycle);
  button.addEventListener('click', () => choose({cycle}));
  return button;
};
const registerLink = (warp, name) => {
  if (!/^r\d+$/.test(name)) return element('code', '', name);
  const button = element('button', 'link code', name);
  button.dataset.tip = `follow ${name} of ${warpName(warp)}`;
  button.addEventListener('click', () => follow({register: {warp, reg: Number(name.slice(1))}}));
  return button;
};

function drawInstruction() {
  const one = shown.instruction, place = details.instruction;
  if (!one) {
    details.drawnInstruction = '';
    place.replaceChildren(element('p', 'hint', 'Choose an instruction or a register to follow it: in a box, in the lists, or with the keys i and r.'));
    return;
  }
  const key = `${one.u} ${shown.cycle} ${isDark()}`;
  if (details.drawnInstruction === key) return;
  details.drawnInstruction = key;
  const facts = element('p', 'soft', `${data.kernels[one.l] || ''}, CTA ${one.c}, ${warpName(one.w)}, pc ${one.p}, ${one.line}`);
  const code = element('pre', '', one.text);
  const steps = element('table', 'steps'), body = element('tbody');
  for (const [index, step] of one.steps.entries()) {
    const next = one.steps[index + 1], where = partsOfStep(step.name, one.w)[0] || arrivedIn(one, step.cycle, next ? next.cycle : step.cycle);
    const row = rowOf(jump(step.cycle), stepName(step.name), next ? `${next.cycle - step.cycle} cycle${next.cycle - step.cycle === 1 ? '' : 's'}` : '',
                      where ? where.label : '');
    row.classList.toggle('here', stepAt(one, shown.cycle) === step && !(one.done && shown.cycle > one.end));
    body.append(row);
  }
  steps.append(body);
  place.replaceChildren(heading('Instruction', () => follow({instruction: null})), code, facts, lanesOf(one), steps);
  if (one.x) {
    const waits = [];
    for (let i = 0; i < one.x.length; i += 3) waits.push(`${data.waits[one.x[i]]} ${one.x[i + 2] - one.x[i + 1]}`);
    place.append(element('p', '', 'The warp waited before: ' + waits.join(', ') + ' (cycles).'));
  }
  const operands = element('table', 'operands'), list = element('tbody');
  for (const [name, stage, values] of one.r || []) list.append(operandRow(one, 'reads', name, 'from ' + data.stages[stage].replace(/_/g, ' '), values));
  for (const [name, , values] of one.o || []) list.append(operandRow(one, 'writes', name, '', values));
  operands.append(list);
  if (list.children.length) place.append(operands);
  const producers = (one.d || []).map(uid => byUid.get(uid)).filter(Boolean);
  if (producers.length) {
    const line = element('p', '', 'Values come from ');
    line.append(...producers.map(producer => instructionChip(producer)));
    place.append(line);
  }
  if (one.a) place.append(memoryPicture(one));
}
// Returns the first part that shows the instruction in the cycles between two of its steps.
function arrivedIn(one, from, to) {
  for (const [part, cycle] of wayOf(one)) if (cycle >= from && cycle < to && part.gauges.some(gauge => gauge.form === 'instructions')) return part;
  return null;
}
function operandRow(one, verb, name, where, values) {
  const value = element('code', 'values', values || '');
  value.dataset.tip = values || '';
  return rowOf(verb, registerLink(one.w, name), where, value);
}
function lanesOf(one) {
  const lanes = element('div', 'lanes');
  lanes.setAttribute('aria-label', 'executing lanes');
  for (let lane = 0; lane < 32; ++lane) {
    const cell = element('i', 'cell' + (one.m >>> lane & 1 ? ' on' : ''));
    cell.dataset.tip = `lane ${lane} ${one.m >>> lane & 1 ? 'executes' : 'does not execute'}`;
    lanes.append(cell);
  }
  return lanes;
}

// Draws the lanes of a memory access, and below them the segments (or banks of shared memory) that the lanes access.
const kSvg = 'http://www.w3.org/2000/svg';
function svg(tag, attributes, tip) {
  const made = document.createElementNS(kSvg, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (tip) made.dataset.tip = tip;
  return made;
}
function memoryPicture(one) {
  const [space, bytes, first, distances] = one.a, figure = element('figure');
  const lanes = [];
  for (let lane = 0; lane < 32; ++lane) if (one.m >>> lane & 1) lanes.push(lane);
  const base = BigInt('0x' + first), address = i => base + BigInt(distances[i]);
  const shared = space === 'shared', unit = BigInt(shared ? data.shared_bank_bytes : data.segment_bytes);
  const group = i => shared ? Number(address(i) / unit % BigInt(data.shared_banks)) : String(address(i) / unit);
  const groups = new Map();
  lanes.forEach((lane, i) => {
    const key = group(i);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(i);
  });
  const keys = [...groups.keys()].sort((a, b) => shared ? a - b : (BigInt(a) < BigInt(b) ? -1 : 1)), width = 320;
  const picture = svg('svg', {viewBox: `0 0 ${width} 80`, role: 'img'});
  const wide = width / 32, each = width / keys.length;
  keys.forEach((key, k) => {
    const members = groups.get(key), left = k * each, colour = warpColour(k * 3 + 1);
    const words = new Set(members.map(i => address(i)));
    for (const i of members) {
      const from = lanes[i] * wide + wide / 2;
      const within = shared ? 0.5 : (Number(address(i) % unit) + bytes / 2) / Number(unit);
      picture.append(svg('line', {x1: from, y1: 20, x2: left + within * each, y2: 62, stroke: colour, 'stroke-width': 1, opacity: 0.7}));
    }
    const name = shared ? `bank ${key}: ${words.size} address${words.size === 1 ? '' : 'es'}` : `segment 0x${(BigInt(key) * unit).toString(16)}: ${members.length} lanes`;
    picture.append(svg('rect', {x: left + 1, y: 62, width: Math.max(1, each - 2), height: 16, fill: 'none', stroke: colour}, name));
    if (!shared)
      for (const i of members)
        picture.append(svg('rect', {x: left + 1 + Number(address(i) % unit) / Number(unit) * (each - 2), y: 62, width: Math.max(0.8, bytes / Number(unit) * (each - 2)), height: 16, fill: colour}, name));
    else picture.append(svg('rect', {x: left + 1, y: 62, width: Math.max(1, each - 2), height: 16, fill: colour, opacity: Math.min(1, 0.3 * words.size)}, name));
  });
  for (let lane = 0; lane < 32; ++lane) {
    const i = lanes.indexOf(lane);
    picture.append(svg('rect', {x: lane * wide + 1, y: 4, width: wide - 2, height: 16, rx: 2, class: i < 0 ? 'idle' : 'lane'},
                       i < 0 ? `lane ${lane} does not execute` : `lane ${lane}: 0x${address(i).toString(16)}`));
  }
  const used = new Set();
  distances.forEach((distance, i) => { for (let b = 0; b < bytes; ++b) used.add(String(address(i) + BigInt(b))); });
  const conflicts = Math.max(...[...groups.values()].map(members => new Set(members.map(i => address(i) / unit)).size));
  const text = shared
      ? `${plural(lanes.length, 'lane')} of ${bytes} bytes use ${plural(keys.length, 'bank')} of shared memory; a bank has at most ${plural(conflicts, 'word')}.`
      : `${plural(lanes.length, 'lane')} of ${bytes} bytes are ${plural(keys.length, 'segment')} of ${data.segment_bytes} bytes (${space}); the access uses ${Math.round(100 * used.size / (keys.length * data.segment_bytes))} % of them.`;
  figure.append(element('figcaption', '', text), picture);
  return figure;
}

function drawRegister() {
  const register = shown.register, place = details.register;
  place.hidden = !register;
  if (!register) return;
  const trail = trailOf(register.warp, register.reg), table = element('table', 'trail'), body = element('tbody');
  let now = null;
  for (const step of trail) {
    const what = element('span', '', step.what + (step.where ? ', ' + step.where.replace(/_/g, ' ') : ''));
    const cell = element('div');
    cell.append(what);
    if (step.one) cell.append(' ', instructionChip(step.one));
    if (step.values) {
      const values = element('code', 'values', step.values);
      values.dataset.tip = step.values;
      cell.append(element('br'), values);
    }
    const row = rowOf(step.cycle >= 0 ? jump(step.cycle) : '…', cell);
    if (step.cycle >= 0 && step.cycle <= shown.cycle) now = row;
    body.append(row);
  }
  table.append(body);
  const frame = element('div', 'scroll');
  frame.append(table);
  place.replaceChildren(heading(`Register ${registerName(register.warp, register.reg)}`, () => follow({register: null})),
                        trail.length ? frame : element('p', 'soft', 'It is not used in the window.'));
  if (now) {
    now.classList.add('here');
    frame.scrollTop = now.offsetTop - frame.clientHeight / 2;
  }
}

// Draws the warp's instructions around the shown cycle. Each is a bar, divided into its steps.
const kShownRows = 16;
function drawWarp() {
  const all = ofWarp.get(shown.warp) || [], place = details.warp;
  const list = element('div', 'rows');
  let middle = all.findIndex(one => one.issued > shown.cycle);
  if (middle < 0) middle = all.length;
  const first = Math.max(0, Math.min(middle - kShownRows / 2 - 2, all.length - kShownRows));
  const visible = all.slice(first, first + kShownRows);
  const from = Math.min(shown.cycle, ...visible.map(one => Math.max(one.begin, one.issued - 24)));
  const to = Math.max(shown.cycle, ...visible.map(one => one.done ? one.end : one.issued)) + 1, length = to - from;
  for (const one of visible) {
    const row = element('button', 'oneline'), bar = element('span', 'bars');
    row.classList.toggle('followed', shown.instruction === one);
    row.classList.toggle('future', one.issued > shown.cycle);
    row.dataset.tip = tipOf(one);
    row.addEventListener('click', () => follow({instruction: one}));
    one.steps.forEach((step, i) => {
      const next = i + 1 < one.steps.length ? one.steps[i + 1].cycle : one.done ? step.cycle + 1 : to;
      if (next <= from || next <= step.cycle) return;
      const piece = element('i', 'step' + data.steps.indexOf(step.name === 'accessed' ? 'dispatched' : step.name));
      piece.style.left = 100 * (Math.max(step.cycle, from) - from) / length + '%';
      piece.style.width = 100 * (next - Math.max(step.cycle, from)) / length + '%';
      bar.append(piece);
    });
    const head = element('i', 'head');
    head.style.left = 100 * (shown.cycle - from + 0.5) / length + '%';
    bar.append(head);
    row.append(element('code', '', one.text), bar);
    list.append(row);
  }
  const legend = element('p', 'legend');
  data.steps.forEach((name, i) => {
    const item = element('span');
    item.append(element('i', 'swatch step' + i), stepName(name));
    if (i < data.steps.length - 1) legend.append(item);
  });
  place.replaceChildren(heading(`Warp ${shown.warp}, cycles ${from} to ${to - 1}`), all.length ? list : element('p', 'soft', 'It issues no instruction in the window.'), legend);
}
