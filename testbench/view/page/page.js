// The page: what is shown, keys and buttons, and drawing.

const shown = {cycle: data.from, warp: warpsSeen.length ? warpsSeen[0] : 0, instruction: null, register: null, by: 'cycle'};
let player = 0;

const clamp = cycle => Math.max(data.from, Math.min(data.to, cycle));
function choose(change) {
  if (change.cycle !== undefined) shown.cycle = clamp(change.cycle);
  if (change.warp !== undefined) shown.warp = change.warp;
  keepInRange();
  draw();
}
function follow(change) {
  if ('instruction' in change) {
    shown.instruction = change.instruction;
    if (change.instruction) shown.warp = change.instruction.w;
  }
  if ('register' in change) {
    shown.register = change.register;
    if (change.register) shown.warp = change.register.warp;
  }
  draw();
}
// Goes to the next or previous cycle, or issue of the warp.
function step(count) {
  if (shown.by === 'cycle') return choose({cycle: shown.cycle + count});
  const all = ofWarp.get(shown.warp) || [];
  let at = count > 0 ? all.findIndex(one => one.issued > shown.cycle) : all.findLastIndex(one => one.issued < shown.cycle);
  if (at < 0) return;
  at = Math.max(0, Math.min(all.length - 1, at + (count > 0 ? count - 1 : count + 1)));
  shown.instruction = all[at];
  choose({cycle: all[at].issued});
}
function nextInstruction(count) {
  const all = ofWarp.get(shown.warp) || [];
  const at = shown.instruction && shown.instruction.w === shown.warp ? all.indexOf(shown.instruction) + count
                                                                     : all.findIndex(one => one.issued >= shown.cycle);
  const one = all[Math.max(0, Math.min(all.length - 1, at < 0 ? all.length - 1 : at))];
  if (!one) return;
  shown.instruction = one;
  choose({cycle: one.issued});
}
function nextRegister() {
  const one = shown.instruction;
  if (!one) return nextInstruction(0);
  const names = [...(one.o || []), ...(one.r || [])].map(operand => operand[0]).filter(name => /^r\d+$/.test(name));
  const own = [...new Set(names)].map(name => Number(name.slice(1)));
  if (!own.length) return;
  const at = shown.register && shown.register.warp === one.w ? own.indexOf(shown.register.reg) : -1;
  follow({register: {warp: one.w, reg: own[(at + 1) % own.length]}});
}
function nextWarp(count) {
  const at = warpsSeen.indexOf(shown.warp);
  choose({warp: warpsSeen[Math.max(0, Math.min(warpsSeen.length - 1, at + count))]});
}
function play() {
  clearInterval(player);
  player = player ? 0 : setInterval(() => {
    if (shown.cycle >= data.to) return play();
    step(1);
  }, 120);
  controls.play.textContent = player ? 'pause' : 'play';
}
function stepBy(what) {
  shown.by = what;
  draw();
}
const kKeys = [
  ['←  →', 'one step back or on', event => event.key === 'ArrowLeft' ? step(event.shiftKey ? -10 : -1) : event.key === 'ArrowRight' ? step(event.shiftKey ? 10 : 1) : false],
  ['Shift ←  →', 'ten steps', () => false],
  ['↑  ↓', 'the warp before or after', event => event.key === 'ArrowUp' ? nextWarp(-1) : event.key === 'ArrowDown' ? nextWarp(1) : false],
  ['Home  End', 'first and last cycle', event => event.key === 'Home' ? choose({cycle: data.from}) : event.key === 'End' ? choose({cycle: data.to}) : false],
  ['Space', 'play or pause', event => event.key === ' ' ? play() : false],
  ['c  w', 'step by cycle, by the issues of the warp', event => event.key === 'c' ? stepBy('cycle') : event.key === 'w' ? stepBy('warp') : false],
  ['i', 'follow the next instruction that the warp issues', event => event.key === 'i' ? nextInstruction(0) : false],
  ['p  n', 'follow the instruction before or after it', event => event.key === 'p' ? nextInstruction(-1) : event.key === 'n' ? nextInstruction(1) : false],
  ['r', 'follow a register of the instruction; again: its next register', event => event.key === 'r' ? nextRegister() : false],
  ['Esc', 'follow nothing', event => event.key === 'Escape' ? follow({instruction: null, register: null}) : false],
  ['+  −', 'fewer or more cycles in the overview', event => event.key === '+' ? zoom(0.5) : event.key === '-' ? zoom(2) : false],
  ['?', 'show or hide this list', event => event.key === '?' ? help() : false],
];

const controls = {};
function button(text, tip, click) {
  const made = element('button', '', text);
  made.dataset.tip = tip;
  made.setAttribute('aria-label', tip);
  made.addEventListener('click', click);
  return made;
}
function makeControls() {
  const bar = element('div', 'bar');
  controls.cycle = element('input');
  Object.assign(controls.cycle, {type: 'number', min: data.from, max: data.to});
  controls.cycle.setAttribute('aria-label', 'cycle');
  controls.cycle.addEventListener('change', () => choose({cycle: Number(controls.cycle.value)}));
  controls.warp = element('select');
  controls.warp.setAttribute('aria-label', 'warp');
  for (const warp of warpsSeen) controls.warp.append(new Option('warp ' + warp, warp));
  controls.warp.addEventListener('change', () => choose({warp: Number(controls.warp.value)}));
  controls.play = button('play', 'play or pause (Space)', play);
  controls.by = ['cycle', 'warp'].map(what => button('by ' + what, `step by ${what} (${what[0]})`, () => stepBy(what)));
  const cycle = element('label', '', 'cycle ');
  cycle.append(controls.cycle);
  const steps = element('span', 'choices');
  steps.append(...controls.by);
  bar.append(button('|◀', 'first cycle (Home)', () => choose({cycle: data.from})), button('◀', 'one step back (←)', () => step(-1)), cycle,
             button('▶', 'one step on (→)', () => step(1)), button('▶|', 'last cycle (End)', () => choose({cycle: data.to})), controls.play, steps,
             controls.warp, button('follow', 'follow the next instruction of the warp (i)', () => nextInstruction(0)),
             button('−', 'more cycles in the overview (−)', () => zoom(2)), button('+', 'fewer cycles in the overview (+)', () => zoom(0.5)),
             button('? keys', 'keys (?)', help));
  return bar;
}
function help() { controls.help.hidden = !controls.help.hidden; }
function makeHelp() {
  const list = element('dl', 'help');
  for (const [keys, text] of kKeys) list.append(element('dt', '', keys), element('dd', '', text));
  list.hidden = true;
  return controls.help = list;
}

// Text next to the pointer.
const tip = element('div', 'tip');
tip.hidden = true;
function showTip(node, event) {
  tip.textContent = node.dataset.tip || '';
  tip.hidden = !tip.textContent;
  if (tip.hidden) return;
  const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8), below = event.clientY + 18;
  tip.style.left = Math.max(4, left) + 'px';
  tip.style.top = (below + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 10 : below) + 'px';
}
document.addEventListener('pointerover', event => {
  const node = event.target.closest && event.target.closest('[data-tip]');
  if (node) showTip(node, event); else tip.hidden = true;
});

// The page's address contains the shown cycle, warp and instruction, so that a reader can send the address to others.
function writeAddress() {
  const words = [`c=${shown.cycle}`, `w=${shown.warp}`, `by=${shown.by}`];
  if (shown.instruction) words.push(`i=${shown.instruction.u}`);
  if (shown.register) words.push(`r=${shown.register.warp}.${shown.register.reg}`);
  if (range.from !== data.from || range.to !== data.to) words.push(`z=${range.from}.${range.to}`);
  try {
    history.replaceState(null, '', '#' + words.join('&'));
  } catch (error) {
    // A page inside a frame may not change its address.
  }
}
function readAddress() {
  const words = new Map(location.hash.slice(1).split('&').map(word => word.split('=')));
  const number = name => words.has(name) ? Number(words.get(name)) : NaN;
  const pair = name => (words.get(name) || '').split('.').map(Number);
  if (words.get('by') === 'warp') shown.by = 'warp';
  if (words.has('z') && pair('z').length === 2 && pair('z').every(Number.isFinite)) showRange(pair('z')[0], Math.max(20, pair('z')[1] - pair('z')[0] + 1));
  if (warpsSeen.includes(number('w'))) shown.warp = number('w');
  if (byUid.has(number('i'))) shown.instruction = byUid.get(number('i'));
  if (words.has('r') && pair('r').length === 2 && pair('r').every(Number.isFinite)) shown.register = {warp: pair('r')[0], reg: pair('r')[1]};
  if (Number.isFinite(number('c'))) shown.cycle = clamp(number('c'));
}

function draw() {
  set(controls.cycle, 'value', String(shown.cycle));
  set(controls.warp, 'value', String(shown.warp));
  controls.by.forEach((one, i) => one.setAttribute('aria-pressed', String((i ? 'warp' : 'cycle') === shown.by)));
  drawOverview();
  drawMachine();
  drawDetails();
  writeAddress();
}

(function begin() {
  const page = document.getElementById('page'), kernels = [...new Set(data.kernels.filter(Boolean))];
  const facts = `${kernels.join(', ')}; cycles ${data.from} to ${data.to}, ${plural(instructions.length, 'instruction')}`;
  page.append(element('p', 'soft', facts));
  if (data.cut) page.append(element('p', 'note', `The recording was cut after cycle ${data.to}, because it has its largest size.`));
  const body = element('main');
  body.append(makeMachine(), makeDetails());
  page.append(makeControls(), makeHelp(), makeOverview(), body, tip);
  readAddress();
  keepInRange();
  document.addEventListener('keydown', event => {
    if (/INPUT|SELECT/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (kKeys.some(([, , act]) => act(event) !== false)) event.preventDefault();
  });
  addEventListener('resize', draw);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  draw();
})();
