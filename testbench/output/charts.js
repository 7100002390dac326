// Draws the charts of a page with D3 (version 3): every <figure class="chart"> holds its data as JSON, written by
// chart.cpp. A chart is drawn again when the page changes its width, so that no label overlaps another at any
// width. Legends are buttons that show and hide a series; charts of many categories have a field to choose them.
(function () {
'use strict';

const font = 12, gap = 8;
const canvas = document.createElement('canvas').getContext('2d');
canvas.font = font + 'px system-ui,sans-serif';
const widthOf = text => canvas.measureText(text).width;
const shown = value => value === null || value === undefined ? '-' : Number(value.toPrecision(5)).toLocaleString('en-GB', {maximumFractionDigits: 6});

// As much of a text as fits.
function fitted(text, room) {
  if (widthOf(text) <= room) return text;
  let length = text.length;
  while (length > 1 && widthOf(text.slice(0, length) + '…') > room) --length;
  return text.slice(0, length) + '…';
}

// Eight colours that the colour-blind keep apart; the next eight are the same with stripes, and dashed as lines.
const colour = i => `var(--s${i % 8})`;
const dashes = i => i < 8 ? null : i < 16 ? '7 3' : '2 3';
const fill = (spec, i) => spec.colours ? `var(--${spec.colours[i]})` : i < 8 ? colour(i) : `url(#stripes${i})`;

function stripes(svg, count) {
  const defs = svg.append('defs');
  for (let i = 8; i < count; ++i) {
    const pattern = defs.append('pattern').attr({id: 'stripes' + i, width: 6, height: 6, patternUnits: 'userSpaceOnUse',
                                                 patternTransform: `rotate(${i < 16 ? 45 : -45})`});
    pattern.append('rect').attr({width: 6, height: 6}).style('fill', colour(i));
    pattern.append('rect').attr({width: 2.5, height: 6}).style('fill', 'var(--ground)');
  }
}

const tip = d3.select(document.body).append('div').attr('class', 'tip').style('display', 'none');
function say(text) {
  if (!text) return tip.style('display', 'none');
  tip.text(text).style('display', 'block');
  const box = tip.node().getBoundingClientRect(), at = d3.event;
  tip.style({left: Math.max(4, Math.min(at.clientX + 14, innerWidth - box.width - 4)) + 'px',
             top: Math.max(4, Math.min(at.clientY + 14, innerHeight - box.height - 4)) + 'px'});
}
const tells = text => function (selection) {
  selection.on('mousemove', function () { say(text.apply(this, arguments)); }).on('mouseleave', () => say(null));
};

// An SVG with a margin on its left that its labels need.
function surface(plot, spec, width, height, left, right = 12) {
  const svg = plot.append('svg').attr({width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': spec.title});
  stripes(svg, (spec.series || []).length);
  return {svg, left, right: width - right, top: gap, bottom: height - 22, width, height};
}

function ticksFor(scale, room, each) { return scale.ticks(Math.max(2, Math.floor(room / each))); }

function valueAxis(box, scale) {
  const group = box.svg.append('g');
  for (const value of ticksFor(scale, box.bottom - box.top, 45)) {
    group.append('path').attr({class: 'rule', d: `M${box.left} ${scale(value)}H${box.right}`});
    group.append('text').attr({class: 'soft', x: box.left - 6, y: scale(value) + 4, 'text-anchor': 'end'}).text(shown(value));
  }
}

// Marks of a scale that runs to the right: those that overlap the one before are left out.
function baseAxis(box, scale, rules) {
  const group = box.svg.append('g');
  let end = -Infinity;
  for (const value of ticksFor(scale, box.right - box.left, 70)) {
    const text = shown(value), x = Math.min(scale(value), box.width - widthOf(text) / 2 - 1);
    if (rules) group.append('path').attr({class: 'rule', d: `M${scale(value)} ${box.top}V${box.bottom}`});
    if (x - widthOf(text) / 2 < end + gap) continue;
    end = x + widthOf(text) / 2;
    group.append('text').attr({class: 'soft', x, y: box.bottom + 16, 'text-anchor': 'middle'}).text(text);
  }
}

const leftOf = values => 14 + Math.max(...values.map(v => widthOf(shown(v))));

function range(values, zero) {
  const all = values.filter(v => v !== null && isFinite(v));
  if (zero || !all.length) all.push(0);
  let [low, high] = d3.extent(all);
  if (low === high) high = low + (low === 0 ? 1 : Math.abs(low));
  return d3.scale.linear().domain([low, high]).nice(5);
}

// --- Values by category: bars side by side or upon each other, upright where the names fit, else lying.

function bars(plot, spec, state, width) {
  const series = spec.series.map((name, s) => ({name, s})).filter(one => !state.hidden.has(one.name));
  let categories = spec.categories.map((name, c) => ({name, c}));
  const words = state.words.toLowerCase().split(/[\s,]+/).filter(Boolean);
  if (words.length) categories = categories.filter(one => words.some(word => one.name.toLowerCase().includes(word)));
  const valueOf = (c, s) => spec.values[s][c];
  if (state.order !== '') {
    const by = Number(state.order);
    categories.sort((a, b) => d3.descending(valueOf(a.c, by) ?? -Infinity, valueOf(b.c, by) ?? -Infinity));
  }
  if (!categories.length) { plot.append('p').text('No name has this in it.'); return; }

  const pieces = [];
  const values = [];
  for (const {name, c} of categories) {
    let up = 0, down = 0;
    series.forEach(({name: of, s}, position) => {
      const value = valueOf(c, s);
      if (value === null) return;
      const from = !spec.stacked ? 0 : value < 0 ? down : up;
      if (spec.stacked) value < 0 ? down += value : up += value;
      pieces.push({category: name, c, s, position, from, to: from + value, text: `${name}, ${of}: ${shown(value)}`});
      values.push(from + value);
    });
  }
  const marks = [];
  if (spec.marks && !state.hidden.has(spec.marks.name)) {
    for (const {name, c} of categories) {
      const value = spec.marks.values[c];
      if (value === null) continue;
      marks.push({category: name, position: null, value, text: `${name}, ${spec.marks.name}: ${shown(value)}`});
      values.push(value);
    }
  }
  if (spec.points && !state.hidden.has(spec.points.name)) {
    for (const [c, s, value] of spec.points.values) {
      const category = categories.find(one => one.c === c), position = series.findIndex(one => one.s === s);
      if (!category || position < 0) continue;
      marks.push({category: category.name, position, value, text: `${category.name}, ${spec.points.name}: ${shown(value)}`});
      values.push(value);
    }
  }
  const scale = range(values, true);
  const across = spec.stacked ? 1 : Math.max(1, series.length);
  const inner = width - leftOf(scale.ticks(6)) - 12;
  const wanted = Math.max(across * 6 + gap, d3.max(categories, one => widthOf(one.name)) + 2 * gap);
  const upright = categories.length * wanted <= inner;
  const names = categories.map(one => one.name);

  let box, band, place;
  if (upright) {
    box = surface(plot, spec, width, 280, leftOf(scale.ticks(6)));
    scale.range([box.bottom, box.top]);
    band = d3.scale.ordinal().domain(names).rangeBands([box.left, box.right], 0.2);
    valueAxis(box, scale);
    for (const name of names)
      box.svg.append('text').attr({x: band(name) + band.rangeBand() / 2, y: box.bottom + 16, 'text-anchor': 'middle'}).text(name);
    place = (at, size, from, to) => ({x: at, width: size, y: Math.min(scale(from), scale(to)), height: Math.abs(scale(from) - scale(to))});
  } else {
    const room = Math.min(0.42 * width, d3.max(names, widthOf) + gap), row = Math.max(18, across * 6 + 5);
    box = surface(plot, spec, width, names.length * row + gap + 22, room, 24);
    scale.range([box.left, box.right]);
    band = d3.scale.ordinal().domain(names).rangeBands([box.top, box.bottom], 0.12);
    baseAxis(box, scale, true);
    for (const name of names)
      box.svg.append('text').attr({x: box.left - 5, y: band(name) + band.rangeBand() / 2 + 4, 'text-anchor': 'end'})
        .text(fitted(name, room - 6)).append('title').text(name);
    place = (at, size, from, to) => ({y: at, height: size, x: Math.min(scale(from), scale(to)), width: Math.abs(scale(from) - scale(to))});
  }
  const bar = band.rangeBand() / across;
  box.svg.append('g').selectAll('rect').data(pieces).enter().append('rect')
    .attr('class', 'bar')
    .each(function (one) {
      const at = band(one.category) + (spec.stacked ? 0 : bar * one.position);
      d3.select(this).attr(place(at, Math.max(bar - 0.5, 0.5), one.from, one.to)).style('fill', fill(spec, one.s));
    })
    .call(tells(one => one.text));
  for (const mark of marks) {
    const at = band(mark.category) + (mark.position === null ? 0 : bar * (spec.stacked ? 0 : mark.position));
    const size = mark.position === null ? band.rangeBand() : bar, v = scale(mark.value);
    box.svg.append('path').datum(mark).attr('class', mark.position === null ? 'mark' : 'mark point')
      .attr('d', mark.position === null ? (upright ? `M${at} ${v}h${size}` : `M${v} ${at}v${size}`)
            : upright ? `M${at + size / 2} ${v}m-4 0l4 -4l4 4l-4 4z` : `M${v} ${at + size / 2}m-4 0l4 -4l4 4l-4 4z`)
      .call(tells(one => one.text));
  }
}

// --- Values over a number: lines, steps and areas.

function curves(plot, spec, state, width) {
  const series = spec.series.map((one, s) => ({...one, s})).filter(one => !state.hidden.has(one.name));
  const areas = spec.kind === 'areas';
  if (areas) {
    const sums = new Map();
    for (const one of series)
      one.points = one.points.map(([x, y]) => { const low = sums.get(x) ?? 0, high = low + (y ?? 0); sums.set(x, high); return [x, high, low, y]; });
  }
  const y = range(series.flatMap(one => one.points.map(p => p[1])), spec.zero);
  const box = surface(plot, spec, width, 260, leftOf(y.ticks(6)), 16);
  const x = range(series.flatMap(one => one.points.map(p => p[0])), false);
  x.domain(d3.extent(series.flatMap(one => one.points.map(p => p[0])))).range([box.left, box.right]);
  if (!series.length) return;
  y.range([box.bottom, box.top]);
  valueAxis(box, y);
  baseAxis(box, x, false);
  const how = spec.kind === 'lines' ? 'linear' : 'step-after';
  const line = d3.svg.line().x(p => x(p[0])).y(p => y(p[1])).defined(p => p[1] !== null).interpolate(how);
  const area = d3.svg.area().x(p => x(p[0])).y0(p => y(p[2])).y1(p => y(p[1])).interpolate(how);
  for (const one of series) {
    box.svg.append('path').attr('d', (areas ? area : line)(one.points))
      .style(areas ? {fill: fill(spec, one.s)} : {fill: 'none', stroke: colour(one.s), 'stroke-width': 1.7, 'stroke-dasharray': dashes(one.s)});
    if (spec.kind === 'lines')
      box.svg.append('g').selectAll('circle').data(one.points.filter(p => p[1] !== null)).enter().append('circle')
        .attr({cx: p => x(p[0]), cy: p => y(p[1]), r: 3.2}).style('fill', colour(one.s));
  }
  if (spec.points && !state.hidden.has(spec.points.name))
    for (const [at, value] of spec.points.values)
      box.svg.append('path').attr({class: 'mark point', d: `M${x(at)} ${y(value)}m-4 0l4 -4l4 4l-4 4z`});
  const cross = box.svg.append('path').attr('class', 'cross');
  const left = d3.bisector(p => p[0]).right;
  box.svg.on('mousemove', function () {
    const at = x.invert(d3.mouse(this)[0]);
    const found = series.map(one => [one.name, one.points[Math.max(0, left(one.points, at) - 1)]]).filter(pair => pair[1]);
    if (!found.length) return;
    cross.attr('d', `M${d3.mouse(this)[0]} ${box.top}V${box.bottom}`);
    say([`${spec.x}: ${shown(found[0][1][0])}`, ...found.map(([name, p]) => `${name}: ${shown(areas ? p[3] : p[1])}`)].join('\n'));
  }).on('mouseleave', () => { cross.attr('d', null); say(null); });
}

// --- Points of two measures. A name stands beside its point where there is room for it; else hovering tells it.

function points(plot, spec, state, width) {
  const series = spec.series.map((one, s) => ({...one, s})).filter(one => !state.hidden.has(one.name));
  const all = series.flatMap(one => one.points.map((p, i) => ({x: p[0], y: p[1], s: one.s, series: one.name, name: (one.labels || [])[i] || ''})))
    .filter(p => p.x !== null && p.y !== null);
  const x = range(all.map(p => p.x), false), y = range(all.map(p => p.y), false);
  const box = surface(plot, spec, width, Math.min(480, 0.75 * width + 60), leftOf(y.ticks(6)), 16);
  x.range([box.left + 6, box.right]);
  y.range([box.bottom - 4, box.top]);
  valueAxis(box, y);
  baseAxis(box, x, true);
  const taken = all.map(p => [x(p.x) - 4, y(p.y) - 4, x(p.x) + 4, y(p.y) + 4]);
  const free = b => b[0] >= box.left && b[2] <= box.width && b[1] >= 0 && b[3] <= box.bottom &&
    !taken.some(t => b[0] < t[2] && b[2] > t[0] && b[1] < t[3] && b[3] > t[1]);
  for (const p of all) {
    const w = widthOf(p.name), px = x(p.x), py = y(p.y);
    const place = p.name && [[px + 6, py - 7], [px - 6 - w, py - 7], [px - w / 2, py - 20], [px - w / 2, py + 6]]
      .map(([l, t]) => [l, t, l + w, t + 14]).find(free);
    if (place) {
      taken.push(place);
      box.svg.append('text').attr({class: 'soft', x: place[0], y: place[1] + 11}).text(p.name);
    }
  }
  box.svg.append('g').selectAll('circle').data(all).enter().append('circle')
    .attr({cx: p => x(p.x), cy: p => y(p.y), r: 4}).style('fill', p => colour(p.s))
    .call(tells(p => `${p.name || p.series}\n${spec.x}: ${shown(p.x)}\n${spec.y}: ${shown(p.y)}`));
}

// --- Published beside measured: a row each, its name above its line.

function pairs(plot, spec, state, width) {
  const row = 36, scale = range(spec.rows.flatMap(one => [one.published, one.measured]), true);
  const box = surface(plot, spec, width, spec.rows.length * row + gap + 22, 12, 24);
  scale.range([box.left, box.right]);
  baseAxis(box, scale, true);
  spec.rows.forEach((one, i) => {
    const y = box.top + row * i + 25, from = scale(one.published), to = scale(one.measured);
    box.svg.append('text').attr({x: box.left, y: y - 10}).text(fitted(one.label, box.right - box.left)).append('title').text(one.label);
    const group = box.svg.append('g').datum(one).call(tells(p => `${p.label}\npublished: ${shown(p.published)}\nmeasured: ${shown(p.measured)}`));
    group.append('path').attr('d', `M${from} ${y}H${to}`).style('stroke', 'var(--soft)');
    group.append('rect').attr({x: from - 4.5, y: y - 4.5, width: 9, height: 9}).style('fill', 'var(--s6)');
    group.append('circle').attr({cx: to, cy: y, r: 5}).style('fill', 'var(--s0)');
  });
}

// --- What rows do over time: a colour for each state.

function states(plot, spec, state, width) {
  const row = 12, room = 6 + Math.max(...spec.rows.map(one => widthOf(one.label)));
  const box = surface(plot, spec, width, spec.rows.length * row + gap + 22, room, 16);
  const x = d3.scale.linear().domain([d3.min(spec.rows, r => d3.min(r.spans, s => s[0])), d3.max(spec.rows, r => d3.max(r.spans, s => s[1]))])
    .range([box.left, box.right]);
  spec.series.forEach((name, s) => {
    if (state.hidden.has(name)) return;
    let path = '';
    spec.rows.forEach((one, r) => {
      for (const [begin, end, what] of one.spans)
        if (what === s) path += `M${x(begin).toFixed(1)} ${box.top + row * (r + 0.5)}h${Math.max(x(end) - x(begin), 0.1).toFixed(1)}`;
    });
    if (path) box.svg.append('path').attr('d', path).style({stroke: fill(spec, s), 'stroke-width': row - 2, fill: 'none'});
  });
  let named = -Infinity;
  spec.rows.forEach((one, r) => {
    const y = box.top + row * (r + 0.5) + 4;
    if (y - named < 14) return;  // a name is taller than a row
    named = y;
    box.svg.append('text').attr({class: 'soft', x: box.left - 4, y, 'text-anchor': 'end'}).text(one.label);
  });
  baseAxis(box, x, false);
  box.svg.on('mousemove', function () {
    const [mx, my] = d3.mouse(this), one = spec.rows[Math.floor((my - box.top) / row)], at = x.invert(mx);
    const span = one && one.spans.find(s => s[0] <= at && at < s[1]);
    say(span && `${one.label}: ${spec.series[span[2]]}\n${spec.x} ${shown(span[0])} to ${shown(span[1])}`);
  }).on('mouseleave', () => say(null));
}

const kinds = {bars, lines: curves, steps: curves, areas: curves, points, pairs, states};

// --- The buttons and fields of a chart.

function swatch(button, spec, i) {
  const svg = button.append('svg').attr({width: 14, height: 12, 'aria-hidden': true});
  if (i === null) svg.append('path').attr({class: 'mark point', d: 'M3 6l4 -4l4 4l-4 4z'});
  else if (['lines', 'steps'].includes(spec.kind))
    svg.append('path').attr('d', 'M0 6H14').style({stroke: colour(i), 'stroke-width': 3, 'stroke-dasharray': dashes(i)});
  else {
    stripes(svg, i + 1);
    svg.append('rect').attr({x: 1, y: 1, width: 11, height: 10}).style('fill', fill(spec, i));
  }
}

function legend(tools, spec, state, draw) {
  const names = (spec.series || []).map(one => one.name ?? one).map((name, i) => ({name, i}));
  for (const marks of [spec.marks, spec.points]) if (marks) names.push({name: marks.name, i: null});
  if (names.length < 2) return;
  for (const {name, i} of names) {
    const button = tools.append('button').attr({type: 'button', 'aria-pressed': true, title: 'show or hide'});
    swatch(button, spec, i);
    button.append('span').text(name);
    button.on('click', () => {
      state.hidden.has(name) ? state.hidden.delete(name) : state.hidden.add(name);
      button.attr('aria-pressed', !state.hidden.has(name));
      draw();
    });
  }
}

function choice(tools, spec, state, draw) {
  if (spec.kind !== 'bars' || spec.categories.length < 7) return;
  tools.append('input').attr({placeholder: 'choose by name', 'aria-label': 'choose categories by parts of their names'})
    .on('input', function () { state.words = this.value; draw(); });
  const order = tools.append('select').attr('aria-label', 'order').on('change', function () { state.order = this.value; draw(); });
  order.append('option').attr('value', '').text('in the given order');
  spec.series.forEach((name, s) => order.append('option').attr('value', s).text('by ' + name));
}

for (const figure of document.querySelectorAll('figure.chart')) {
  const spec = JSON.parse(figure.querySelector('script').textContent);
  const state = {hidden: new Set(), words: '', order: ''};
  const tools = d3.select(figure).insert('div', 'figcaption').attr('class', 'tools');
  if (spec.y) d3.select(figure).insert('div', 'figcaption').attr('class', 'unit').text(spec.y);
  const plot = d3.select(figure).insert('div', 'figcaption').attr('class', 'plot');
  if (spec.x) d3.select(figure).insert('div', 'figcaption').attr('class', 'unit right').text(spec.x);
  let drawn = 0;
  const draw = width => {
    drawn = width || drawn;
    plot.html('');
    say(null);
    kinds[spec.kind](plot, spec, state, drawn);
  };
  if (spec.kind === 'pairs') {
    const key = tools.append('span').attr('class', 'key');
    for (const [name, i] of [['published', 6], ['measured', 0]]) { swatch(key, spec, i); key.append('span').text(name); }
  }
  legend(tools, spec, state, () => draw());
  choice(tools, spec, state, () => draw());
  draw(Math.max(280, plot.node().clientWidth));
  new ResizeObserver(() => requestAnimationFrame(() => {
    const width = Math.max(280, plot.node().clientWidth);
    if (width !== drawn) draw(width);
  })).observe(plot.node());
}
})();
