// Draws the gauges of the parts. Each drawing returns a function that shows the values of a cycle.

function element(tag, classes, text) {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  if (text !== undefined) made.textContent = text;
  return made;
}
const set = (node, property, value) => { if (node[property] !== value) node[property] = value; };
const hue = warp => Math.round((warp * 137.508) % 360);
const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;
const warpColour = (warp, faded) => `hsl(${hue(warp)} ${faded ? 18 : 62}% ${isDark() ? (faded ? 30 : 60) : (faded ? 84 : 46)}%)`;
const styleOf = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();

// Waiting states have colours of their own, the same in all gauges; all other states have the colour of their tone.
const kWaits = 9;
const waitNames = [...new Set(gauges.flatMap(gauge => gauge.states.filter(state => state.tone === 'waiting').map(state => state.name)))];
function stateColour(gauge, value) {
  const state = gauge.states[value];
  if (!state) return 'transparent';
  if (state.tone !== 'waiting') return styleOf(state.tone);
  return styleOf('wait' + waitNames.indexOf(state.name) % kWaits);
}

function chip(text, warp, tip, click) {
  const made = element(click ? 'button' : 'span', 'chip', text);
  if (warp >= 0) made.style.setProperty('--hue', hue(warp));
  made.classList.toggle('ofwarp', warp >= 0);
  made.dataset.tip = tip || '';
  if (click) made.addEventListener('click', click);
  return made;
}

function instructionChip(one, text) {
  const made = chip(text || `${warpName(one.w)} ${one.operation}`, one.w, tipOf(one), () => follow({instruction: one}));
  made.classList.toggle('followed', shown.instruction === one);
  return made;
}
// Returns the text that appears when the pointer is on an instruction.
function tipOf(one) {
  const lines = [`${warpName(one.w)}  ${one.text}`, `${one.line}, pc ${one.p}, issued in cycle ${one.issued}`];
  for (const [name, stage, values] of one.r || []) lines.push(`reads ${name} from ${data.stages[stage]}${values ? ': ' + values : ''}`);
  for (const [name, , values] of one.o || []) lines.push(`writes ${name}${values ? ': ' + values : ''}`);
  return lines.join('\n');
}

const kManyCells = 64, kMostLines = 24, kMostChips = 6;
const drawings = {
  amount(gauge, box) {
    const value = element('b'), bar = element('i', 'bar'), fill = element('i');
    bar.append(fill);
    box.append(value);
    if (gauge.most) box.append(element('span', 'soft', ' of ' + gauge.most), bar);
    return cells => {
      set(value, 'textContent', String(cells[0] || 0));
      fill.style.width = gauge.most ? 100 * (cells[0] || 0) / gauge.most + '%' : 0;
    };
  },
  cells(gauge, box) {
    const all = [];
    for (let i = 0; i < gauge.most; ++i) {
      const cell = element('i', 'cell');
      cell.dataset.tip = `${gauge.name}: ${i}`;
      all.push(cell);
    }
    box.classList.add('grid');
    box.append(...all);
    return cells => all.forEach((cell, i) => cell.classList.toggle('on', !!cells[i]));
  },
  states(gauge, box) {
    if (gauge.most === 1) {
      const made = element('span', 'state');
      box.append(made);
      return cells => {
        const state = gauge.states[cells[0] || 0];
        set(made, 'textContent', state ? state.name : '');
        made.style.setProperty('--state', stateColour(gauge, cells[0] || 0));
      };
    }
    if (gauge.most > kManyCells) return canvasOf(gauge, box, value => stateColour(gauge, value), value => (gauge.states[value] || {}).name);
    const all = [], ofWarps = gauge.most === data.warps;
    for (let i = 0; i < gauge.most; ++i) {
      const cell = element(ofWarps ? 'button' : 'i', 'cell');
      if (ofWarps) {
        cell.addEventListener('click', () => choose({warp: i}));
        cell.tabIndex = -1;
        cell.setAttribute('aria-label', 'warp ' + i);
      }
      all.push(cell);
    }
    box.classList.add('grid');
    box.append(...all);
    return cells => all.forEach((cell, i) => {
      cell.style.background = stateColour(gauge, cells[i] || 0);
      cell.dataset.tip = `${ofWarps ? warpName(i) : i}: ${(gauge.states[cells[i] || 0] || {}).name}`;
      if (ofWarps) cell.classList.toggle('followed', i === shown.warp);
    });
  },
  warps(gauge, box) {
    return cells => {
      const inside = cells.filter(value => value);
      box.replaceChildren(...inside.map(value => chip(warpName(value - 1), value - 1, 'warp ' + (value - 1), () => choose({warp: value - 1}))));
      if (!inside.length) box.append(element('span', 'soft', '–'));
    };
  },
  instructions(gauge, box) {
    const slots = [];
    box.classList.add(gauge.most ? 'slots' : 'chips');
    for (let i = 0; i < gauge.most; ++i) slots.push(element('span', 'slot'));
    box.append(...slots);
    const made = value => {
      const one = byUid.get(value - 1);
      return one ? instructionChip(one) : chip('…', -1, 'issued before the window');
    };
    return cells => {
      if (!gauge.most) {
        const followed = shown.instruction ? shown.instruction.u + 1 : 0;
        const inside = cells.filter(value => value).sort((a, b) => (b === followed) - (a === followed));
        const chips = inside.slice(0, kMostChips).map(value => made(value));
        if (!inside.length) chips.push(element('span', 'soft', 'empty'));
        if (inside.length > kMostChips) chips.push(element('span', 'soft', `+${inside.length - kMostChips}`));
        box.replaceChildren(...chips);
        return;
      }
      slots.forEach((slot, i) => {
        const key = (cells[i] || 0) + (shown.instruction && cells[i] === shown.instruction.u + 1 ? '!' : '');
        if (slot.dataset.key === key) return;
        slot.dataset.key = key;
        slot.replaceChildren(...(cells[i] ? [made(cells[i])] : []));
      });
    };
  },
  registers(gauge, box) {
    const text = element('div', 'soft');
    const draw = canvasOf(gauge, box, value => {
      const {warp, reg} = registerOf(value);
      if (shown.register && shown.register.warp === warp && shown.register.reg === reg) return styleOf('accent');
      return warpColour(warp, shown.warp !== warp);
    }, value => value ? registerName(registerOf(value).warp, registerOf(value).reg) : 'no register', value => {
      if (value) follow({register: registerOf(value)});
    });
    box.append(text);
    return cells => {
      draw(cells);
      const used = cells.reduce((sum, value) => sum + (value ? 1 : 0), 0);
      set(text, 'textContent', `${used} of ${gauge.most} hold a register, ${Math.round(100 * used / gauge.most)} %`);
    };
  },
};

// Draws a grid of many cells. Each row of the hardware is a row of the grid. A long row is divided into lines, and a tall
// grid into blocks next to each other.
function canvasOf(gauge, box, colour, name, click) {
  const canvas = element('canvas', 'many');
  const most = Math.max(gauge.most, 1), length = Math.min(gauge.row || 64, most);
  const lines = Math.ceil(most / length) * Math.ceil(length / 64) <= kMostLines ? Math.ceil(length / 64) : 1, columns = Math.ceil(length / lines), rows = Math.ceil(most / columns);
  const blocks = Math.max(1, Math.min(rows, Math.floor(64 / (columns + 1)), Math.ceil(Math.sqrt(2.5 * rows / columns))));
  const high = Math.ceil(rows / blocks), wide = blocks * (columns + 1) - 1;
  const size = Math.max(3, Math.min(12, Math.floor(700 / wide)));
  canvas.width = wide * size * 2;
  canvas.height = high * size * 2;
  canvas.style.aspectRatio = `${wide} / ${high}`;
  canvas.style.maxWidth = wide * size * 1.25 + 'px';
  let last = [];
  const at = event => {
    const place = canvas.getBoundingClientRect();
    const x = Math.floor((event.clientX - place.left) / place.width * wide), y = Math.floor((event.clientY - place.top) / place.height * high);
    const column = x % (columns + 1), row = Math.floor(x / (columns + 1)) * high + y;
    return column < columns && row < rows ? row * columns + column : -1;
  };
  canvas.addEventListener('pointermove', event => {
    const cell = at(event);
    canvas.dataset.tip = cell < 0 ? '' : `${gauge.row ? `row ${Math.floor(cell / length)}, entry ${cell % length}` : cell}: ${name(last[cell] || 0)}`;
    showTip(canvas, event);
  });
  if (click) canvas.addEventListener('click', event => click(last[at(event)] || 0));
  box.append(canvas);
  return cells => {
    last = cells;
    const pen = canvas.getContext('2d'), gap = size > 4 ? 2 : 1, empty = styleOf('cell');
    pen.clearRect(0, 0, canvas.width, canvas.height);
    for (let i = 0; i < most; ++i) {
      const row = Math.floor(i / columns), column = Math.floor(row / high) * (columns + 1) + i % columns;
      pen.fillStyle = cells[i] || gauge.form === 'states' ? colour(cells[i] || 0) : empty;
      pen.fillRect(column * size * 2, (row % high) * size * 2, size * 2 - gap, size * 2 - gap);
    }
  };
}

// Draws a gauge over the visible cycles, as a strip. Colours show states, heights show amounts.
function stripOf(gauge, box) {
  if (gauge.form === 'warps') return () => {};
  const single = gauge.form === 'states' && gauge.most === 1;
  return stripOfPoints(box, gauge.name, () => historyOf(gauge), gauge.most, single ? value => stateColour(gauge, value) : null);
}
// `colour`: the colour of a value; null: values are amounts, at most `limit` if it is not 0.
function stripOfPoints(box, title, pointsOf, limit, colour) {
  const frame = element('div', 'strip'), canvas = element('canvas'), head = element('i', 'head');
  frame.append(canvas, head);
  frame.dataset.tip = `${title} over the cycles of the overview`;
  box.append(frame);
  frame.addEventListener('click', event => {
    const place = frame.getBoundingClientRect();
    choose({cycle: Math.round(range.from + (event.clientX - place.left) / place.width * (range.to - range.from))});
  });
  let drawn = '';
  return () => {
    const key = `${range.from} ${range.to} ${isDark()}`;
    head.style.left = 100 * (shown.cycle - range.from + 0.5) / (range.to - range.from + 1) + '%';
    if (drawn === key) return;
    drawn = key;
    const width = canvas.width = 600, height = canvas.height = 28, pen = canvas.getContext('2d');
    const points = pointsOf(), x = cycle => (cycle - range.from) / (range.to - range.from + 1) * width;
    const single = !!colour, most = limit || points.reduce((most, point) => Math.max(most, point[1]), 1);
    for (let i = -1; i < points.length; ++i) {
      const value = i < 0 ? 0 : points[i][1], from = i < 0 ? data.from : points[i][0];
      const to = i + 1 < points.length ? points[i + 1][0] : data.to + 1;
      if (to <= range.from || from > range.to || (!single && !value)) continue;
      const left = Math.max(0, x(from)), tall = single ? height : Math.max(2, height * value / most);
      pen.fillStyle = single ? colour(value) : styleOf('busy');
      pen.fillRect(left, height - tall, Math.max(0.8, Math.min(width, x(to)) - left), tall);
    }
  };
}
