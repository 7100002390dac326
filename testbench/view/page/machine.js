// Draws the SM. Each part is a box, in the order of the parts. Boxes are nested like the paths of the parts.

const boxes = new Map();
const kSums = 5;

function boxOf(part) {
  const box = element('section', part.children.length ? 'group' : 'part'), title = element('h3', '', part.label);
  const arrival = element('span', 'arrival');
  title.append(arrival);
  title.dataset.tip = part.doc;
  box.append(title);
  const updates = [], all = element('div', 'gauges');
  if (part.gauges.length) box.append(all);
  for (const gauge of part.gauges) {
    const line = element('div', 'gauge'), name = element('span', 'name', gauge.name), value = element('div', 'value');
    name.dataset.tip = gauge.doc;
    line.append(name, value);
    if (gauge.most > kManyCells || (gauge.form === 'instructions' && gauge.most > 4)) {
      box.classList.add('wide');
      line.classList.add('large');
    }
    all.append(line);
    const draw = drawings[gauge.form](gauge, value), strip = stripOf(gauge, line);
    updates.push(values => {
      draw(values[gauge.number]);
      strip();
    });
  }
  const events = element('p', 'events'), sums = element('p', 'sums');
  const largest = part.counters.filter(totalOf).sort((a, b) => totalOf(b) - totalOf(a)).slice(0, kSums);
  if (!part.gauges.length && largest.length) {
    const strip = stripOfPoints(box, 'events', () => eventsOf[part.number], 0, null);
    updates.push(() => strip());
  }
  for (const counter of largest) {
    const item = element('span'), value = element('b');
    item.append(counter.name.replace(/_/g, ' ') + ' ', value);
    item.dataset.tip = `${counter.doc} (${counter.unit}); since the first cycle of the window`;
    sums.append(item);
    updates.push(() => set(value, 'textContent', String(sumAt(counter, shown.cycle))));
  }
  const passesOn = passesOf.some(pass => pass.part === part);
  if (largest.length || passesOn) box.append(events);
  if (part.counters.length) box.append(sums);
  if (part.children.length) box.append(childrenOf(part.children));
  // A part without work in the window is drawn in one line.
  const works = largest.length || passesOn || part.children.length || part.gauges.some(gauge => historyOf(gauge).some(point => point[1] !== 0));
  if (!works) {
    box.classList.add('unused');
    all.remove();
    sums.textContent = 'no work in the window';
    box.append(sums);
    updates.length = 0;
  }
  boxes.set(part, {box, arrival, events, updates});
  return box;
}

// Parts of one kind, such as units, share a row. Groups of one kind, such as partitions, share one area of the page, which
// shows one group at a time.
function childrenOf(list) {
  const all = element('div', 'parts');
  for (let i = 0; i < list.length;) {
    let end = i + 1;
    while (end < list.length && list[end].stem === list[i].stem && list[end].stem !== list[end].name) ++end;
    const alike = list.slice(i, end);
    if (alike.length > 1 && alike[0].children.length) all.append(tabsOf(alike));
    else if (alike.length > 1) {
      const row = element('div', 'alike');
      row.append(...alike.map(boxOf));
      all.append(row);
    } else all.append(boxOf(list[i]));
    i = end;
  }
  return all;
}

const tabs = [];
function tabsOf(list) {
  const frame = element('div', 'tabs wide'), row = element('div', 'choices');
  const made = list.map(part => {
    const button = element('button', '', part.label), box = boxOf(part);
    button.addEventListener('click', () => open(part));
    row.append(button);
    return {part, button, box};
  });
  function open(part) {
    for (const one of made) {
      one.button.setAttribute('aria-pressed', String(one.part === part));
      one.box.hidden = one.part !== part;
    }
  }
  frame.append(row, ...made.map(one => one.box));
  open(list[0]);
  tabs.push({list, open, warp: -1});
  return frame;
}

function makeMachine() {
  const machine = element('div', 'machine');
  machine.append(childrenOf(roots));
  return machine;
}

const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

function drawMachine() {
  const values = valuesAt(shown.cycle), one = shown.instruction;
  for (const tab of tabs)
    if (tab.warp !== shown.warp) {
      tab.warp = shown.warp;
      const home = tab.list.find(part => serves(part, shown.warp));
      if (home) tab.open(home);
    }
  const counted = new Map();
  for (const [counter, growth] of countsIn(shown.cycle))
    counted.set(counter.part, [...(counted.get(counter.part) || []), [counter, growth]]);
  const passed = new Map();
  for (const pass of passesIn.get(shown.cycle) || []) passed.set(pass.part, [...(passed.get(pass.part) || []), pass]);
  const here = one ? partsWith(one, shown.cycle, values) : [], way = one ? wayOf(one) : new Map();
  for (const [part, {box, arrival, events, updates}] of boxes) {
    updates.forEach(update => update(values));
    const grown = counted.get(part) || [], passes = passed.get(part) || [];
    const made = [];
    for (const pass of passes.slice(0, 6))
      made.push(chip(`${pass.command} r${pass.reg} ↓`, pass.warp, `${pass.command} of ${registerName(pass.warp, pass.reg)} goes to the part below` +
          (pass.bank >= 0 ? `: bank ${pass.bank}, entry ${pass.entry}` : ''), () => follow({register: {warp: pass.warp, reg: pass.reg}})));
    if (passes.length > 6) made.push(element('span', 'soft', `+${passes.length - 6}`));
    for (const [counter, growth] of grown.slice(0, 8)) {
      const event = element('span', 'event', `${counter.name.replace(/_/g, ' ')} +${growth}`);
      event.dataset.tip = `${counter.doc} (${counter.unit})`;
      made.push(event);
    }
    if (grown.length > 8) made.push(element('span', 'soft', `+${grown.length - 8}`));
    events.replaceChildren(...made);
    box.classList.toggle('busy', grown.length > 0 || passes.length > 0);
    box.classList.toggle('here', here.includes(part));
    const arrived = way.get(part);
    box.classList.toggle('passed', arrived !== undefined && arrived <= shown.cycle);
    set(arrival, 'textContent', arrived === undefined ? '' : '▸ ' + arrived);
  }
}
