// Draws values over a numeric axis, as lines, steps or areas.

// Stacks series: sets the lower end of each point.
function stacked(series) {
  const sums = new Map();
  for (const one of series)
    one.points = one.points.map(([x, y]) => { const low = sums.get(x) ?? 0, high = low + (y ?? 0); sums.set(x, high); return [x, high, low, y]; });
}

function curves(plot, spec, state, width) {
  const series = spec.series.map((one, s) => ({...one, s})).filter(one => !state.hidden.has(one.name));
  const areas = spec.kind === 'areas';
  if (areas) stacked(series);
  const marks = spec.points && !state.hidden.has(spec.points.name) ? spec.points.values : [];
  const y = range([...series.flatMap(one => one.points.map(p => p[1])), ...marks.map(p => p[1])], spec.zero);
  const box = surface(plot, spec, width, 280, leftOf(y.ticks(6)), 16);
  const x = d3.scale.linear().domain(d3.extent(series.flatMap(one => one.points.map(p => p[0])))).range([box.left + 8, box.right - 4]);
  if (!series.length) return;
  y.range([box.bottom - 6, box.top]);
  valueAxis(box, y);
  baseAxis(box, x, false);
  for (const one of series) drawCurve(box, spec, one, x, y);
  for (const [at, value, s] of marks) published(box.svg.append('path').attr('d', diamond(x(at), y(value), 6)), s ?? null);
  tellAlong(box, spec, series, x);
}

function drawCurve(box, spec, one, x, y) {
  const areas = spec.kind === 'areas', how = spec.kind === 'lines' ? 'linear' : 'step-after';
  const line = d3.svg.line().x(p => x(p[0])).y(p => y(p[1])).defined(p => p[1] !== null).interpolate(how);
  const area = d3.svg.area().x(p => x(p[0])).y0(p => y(p[2])).y1(p => y(p[1])).interpolate(how);
  box.svg.append('path').attr('d', (areas ? area : line)(one.points))
    .style(areas ? {fill: fill(spec, one.s)} : {fill: 'none', stroke: colour(one.s), 'stroke-width': 1.7, 'stroke-dasharray': dashes(one.s)});
  if (spec.kind !== 'lines') return;
  box.svg.append('g').selectAll('path').data(one.points.filter(p => p[1] !== null)).enter().append('path')
    .attr({d: shape(one.s), transform: p => `translate(${x(p[0]).toFixed(1)},${y(p[1]).toFixed(1)})`}).style('fill', colour(one.s));
}

function tellAlong(box, spec, series, x) {
  const cross = box.svg.append('path').attr('class', 'cross');
  const left = d3.bisector(p => p[0]).right;
  box.svg.on('mousemove', function () {
    const at = x.invert(d3.mouse(this)[0]);
    const found = series.map(one => [one.name, one.points[Math.max(0, left(one.points, at) - 1)]]).filter(pair => pair[1]);
    if (!found.length) return;
    cross.attr('d', `M${d3.mouse(this)[0]} ${box.top}V${box.bottom}`);
    say([`${spec.x}: ${shown(found[0][1][0])}`,
         ...found.map(([name, p]) => `${name}: ${shown(spec.kind === 'areas' ? p[3] : p[1])}`)].join('\n'));
  }).on('mouseleave', () => { cross.attr('d', null); say(null); });
}
