// Draws one row for each pair of a published and a measured value. The row's name is above its line.
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
    published(group.append('path').attr('d', diamond(from, y, 6)), null);
    group.append('circle').attr({cx: to, cy: y, r: 5}).style('fill', 'var(--s0)');
  });
}

// States of rows over time, with a colour for each state.
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
    if (y - named < 14) return;  // the name would overlap the previous name
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
