// Draws values by category. Bars are side by side or stacked, vertical if the names fit and horizontal otherwise. If bars would
// be too thin to distinguish, points are drawn.

const mostBars = 60;

// Returns the visible series and categories in the selected order.
function chosen(spec, state) {
  const series = spec.series.map((name, s) => ({name, s})).filter(one => !state.hidden.has(one.name));
  let categories = spec.categories.map((name, c) => ({name, c}));
  const words = state.words.toLowerCase().split(/[\s,]+/).filter(Boolean);
  if (words.length) categories = categories.filter(one => words.some(word => one.name.toLowerCase().includes(word)));
  if (state.order !== '') {
    const by = Number(state.order);
    categories.sort((a, b) => d3.descending(spec.values[by][a.c] ?? -Infinity, spec.values[by][b.c] ?? -Infinity));
  }
  return {series, categories};
}

// Returns the lower and the upper end of each value's bar.
function piecesOf(spec, series, categories) {
  const pieces = [];
  categories.forEach(({name, c}, row) => {
    let up = 0, down = 0;
    series.forEach(({name: of, s}, position) => {
      const value = spec.values[s][c];
      if (value === null) return;
      const from = !spec.stacked ? 0 : value < 0 ? down : up;
      if (spec.stacked) value < 0 ? down += value : up += value;
      pieces.push({row, s, position, from, to: from + value, text: `${name}, ${of}: ${shown(value)}`});
    });
  });
  return pieces;
}

// Draws lines across a category (levels), and diamonds at its series (published values).
function marksOf(spec, state, series, categories) {
  const marks = [];
  if (spec.marks && !state.hidden.has(spec.marks.name))
    categories.forEach(({name, c}, row) => {
      const value = spec.marks.values[c];
      if (value !== null) marks.push({row, position: null, s: null, value, text: `${name}, ${spec.marks.name}: ${shown(value)}`});
    });
  if (spec.points && !state.hidden.has(spec.points.name))
    for (const [c, s, value] of spec.points.values) {
      const row = categories.findIndex(one => one.c === c), position = series.findIndex(one => one.s === s);
      if (row < 0 || position < 0) continue;
      marks.push({row, position, s, value, text: `${categories[row].name}, ${spec.series[s]}, ${spec.points.name}: ${shown(value)}`});
    }
  return marks;
}

function bars(plot, spec, state, width) {
  const {series, categories} = chosen(spec, state);
  if (!categories.length) { plot.append('p').text('No name has this in it.'); return; }
  const pieces = piecesOf(spec, series, categories), marks = marksOf(spec, state, series, categories);
  if (formOf(spec) === 'point')
    return dots(plot, spec, width, categories, pieces, marks);
  const scale = range([...pieces.map(one => one.to), ...marks.map(one => one.value)], true);
  const across = spec.stacked ? 1 : Math.max(1, series.length);
  const inner = width - leftOf(scale.ticks(6)) - 12;
  const wanted = Math.max(across * 10 + 2 * gap, d3.max(categories, one => widthOf(one.name)) + 2 * gap);
  (categories.length * wanted <= inner ? standingBars : lyingBars)(plot, spec, width, categories, pieces, marks, scale, across);
}

function standingBars(plot, spec, width, categories, pieces, marks, scale, across) {
  const box = surface(plot, spec, width, 280, leftOf(scale.ticks(6)));
  scale.range([box.bottom, box.top]);
  valueAxis(box, scale);
  const band = d3.scale.ordinal().domain(d3.range(categories.length)).rangeBands([box.left, box.right], 0.2);
  const bar = Math.min(band.rangeBand() / across, 60), start = row => band(row) + (band.rangeBand() - bar * across) / 2;
  categories.forEach((one, row) => box.svg.append('text')
    .attr({x: band(row) + band.rangeBand() / 2, y: box.bottom + 16, 'text-anchor': 'middle'}).text(one.name));
  drawBars(box, spec, pieces, one => ({x: start(one.row) + (spec.stacked ? 0 : bar * one.position), width: Math.max(bar - 0.5, 0.5),
                                       y: Math.min(scale(one.from), scale(one.to)), height: Math.abs(scale(one.from) - scale(one.to))}));
  for (const mark of marks)
    drawMark(box, mark, mark.position === null ? `M${start(mark.row)} ${scale(mark.value)}h${bar * across}`
             : diamond(start(mark.row) + bar * ((spec.stacked ? 0 : mark.position) + 0.5), scale(mark.value)));
}

function lyingBars(plot, spec, width, categories, pieces, marks, scale, across) {
  const row = Math.max(18, across * 9 + 6), bar = (row - (across > 1 ? 6 : 4)) / across;
  const box = lying(plot, spec, width, categories.map(one => one.name), row, scale);
  const start = r => box.middle(r) - bar * across / 2;
  drawBars(box, spec, pieces, one => ({y: start(one.row) + (spec.stacked ? 0 : bar * one.position), height: Math.max(bar - 0.5, 0.5),
                                       x: Math.min(scale(one.from), scale(one.to)), width: Math.abs(scale(one.from) - scale(one.to))}));
  for (const mark of marks)
    drawMark(box, mark, mark.position === null ? `M${scale(mark.value)} ${start(mark.row)}v${bar * across}`
             : diamond(scale(mark.value), start(mark.row) + bar * ((spec.stacked ? 0 : mark.position) + 0.5)));
}

function drawBars(box, spec, pieces, place) {
  box.svg.append('g').selectAll('rect').data(pieces).enter().append('rect').attr('class', 'bar')
    .each(function (one) { d3.select(this).attr(place(one)).style('fill', fill(spec, one.s)); })
    .call(tells(one => one.text));
}

function drawMark(box, mark, d) {
  const path = box.svg.append('path').datum(mark).attr('d', d).call(tells(one => one.text));
  if (mark.position === null) path.attr('class', 'mark');
  else published(path, mark.s);
}

// Draws one row per category and one point per series. Published values have their own row below the category's row, so
// that neither covers the other. A published value far outside of the measured range is a number at the edge.
function dots(plot, spec, width, categories, pieces, marks) {
  const rows = [], placeOf = [], below = [];
  categories.forEach(({name}, c) => {
    placeOf[c] = rows.push(name) - 1;
    if (marks.some(one => one.row === c && one.position !== null)) below[c] = rows.push(`${spec.points.name}, ${name}`) - 1;
  });
  const values = pieces.map(one => one.to), most = d3.max(values), span = most - Math.min(0, d3.min(values));
  const isFar = mark => mark.position !== null && mark.value > most + 2 * span;
  const scale = range([...values, ...marks.filter(one => !isFar(one)).map(one => one.value)], false);
  const box = lying(plot, spec, width, rows, 17, scale);
  rows.forEach((name, r) => box.svg.append('path').attr({class: 'rule', d: `M${box.left} ${box.middle(r)}H${box.right}`}));
  const [low, high] = scale.domain();
  if (low < 0 && high > 0) box.svg.append('path').attr({class: 'zero', d: `M${scale(0)} ${box.top}V${box.bottom}`});
  box.svg.append('g').selectAll('path').data(pieces).enter().append('path')
    .attr({d: one => shape(one.s), transform: one => `translate(${scale(one.to).toFixed(1)},${box.middle(placeOf[one.row])})`})
    .style({fill: one => colour(one.s), stroke: 'var(--ground)', 'stroke-width': 0.7}).call(tells(one => one.text));
  for (const mark of marks.filter(isFar))
    box.svg.append('text').datum(mark).attr({x: box.right - 4, y: box.middle(below[mark.row]) + 4, 'text-anchor': 'end'})
      .text(`${shown(mark.value)} \u2192`).call(tells(one => one.text));
  for (const mark of marks.filter(one => !isFar(one)))
    drawMark(box, mark, mark.position === null ? `M${scale(mark.value)} ${box.middle(placeOf[mark.row]) - 7}v14`
             : diamond(scale(mark.value).toFixed(1), box.middle(below[mark.row])));
}
