// Draws points with two measured values. A name is next to its point, or near it with a line to it. If there is no space, the name is
// shown when the mouse is over the point.

const overlaps = (a, b) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];

// Returns places for a text around a point, the nearest first: a box, and the end of a line to the point if it is far.
function placesAround(px, py, w) {
  const places = [[px + 6, py - 7], [px - 6 - w, py - 7], [px - w / 2, py - 20], [px - w / 2, py + 6]].map(([l, t]) => ({l, t}));
  for (const far of [16, 26, 38])
    for (const [dx, dy] of [[1, -1], [-1, -1], [1, 1], [-1, 1], [0, -1.2], [0, 1.2], [1.3, 0], [-1.3, 0]]) {
      const x = px + dx * far, y = py + dy * far;
      places.push({l: dx > 0 ? x : dx < 0 ? x - w : x - w / 2, t: y - 7, line: [x, y]});
    }
  return places.map(one => ({...one, box: [one.l - 1, one.t, one.l + w + 1, one.t + 14]}));
}

function namePoints(box, all, x, y, blocked) {
  const taken = [...blocked, ...all.map(p => [x(p.x) - 4, y(p.y) - 4, x(p.x) + 4, y(p.y) + 4])];
  const free = b => b[0] >= box.left && b[2] <= box.width - 1 && b[1] >= 0 && b[3] <= box.bottom && !taken.some(t => overlaps(b, t));
  for (const p of all) {
    if (!p.name) continue;
    const size = all.length > 24 ? 10.5 : font;
    const place = placesAround(x(p.x), y(p.y), widthOf(p.name, size)).find(one => free(one.box));
    if (!place) continue;
    taken.push(place.box);
    if (place.line) box.svg.append('path').attr({class: 'lead', d: `M${x(p.x)} ${y(p.y)}L${place.line[0]} ${place.line[1]}`});
    box.svg.append('text').attr({class: 'soft', x: place.l, y: place.t + 11}).style('font-size', size + 'px').text(p.name);
  }
}

function points(plot, spec, state, width) {
  const series = spec.series.map((one, s) => ({...one, s})).filter(one => !state.hidden.has(one.name));
  const all = series.flatMap(one => one.points.map((p, i) => ({x: p[0], y: p[1], s: one.s, series: one.name, name: (one.labels || [])[i] || ''})))
    .filter(p => p.x !== null && p.y !== null);
  const x = range(all.map(p => p.x), false), y = range(all.map(p => p.y), false);
  const box = surface(plot, spec, width, Math.min(all.length > 24 ? 560 : 420, 0.75 * width + 60), leftOf(y.ticks(6)), 16);
  x.range([box.left + 6, box.right]);
  y.range([box.bottom - 6, box.top + 4]);
  valueAxis(box, y);
  baseAxis(box, x, true);
  if (spec.joined)
    box.svg.append('path').attr({class: 'joined', d: d3.svg.line().x(p => x(p.x)).y(p => y(p.y)).interpolate('step-after')(all)});
  namePoints(box, all, x, y, []);
  box.svg.append('g').selectAll('path').data(all).enter().append('path')
    .attr({d: p => shape(p.s, 50), transform: p => `translate(${x(p.x).toFixed(1)},${y(p.y).toFixed(1)})`}).style('fill', p => colour(p.s))
    .call(tells(p => `${p.name || p.series}\n${spec.x}: ${shown(p.x)}\n${spec.y}: ${shown(p.y)}`));
}
