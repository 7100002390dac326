const kinds = {bars, lines: curves, steps: curves, areas: curves, points, pairs, states, heat, spans};

// Returns the entries of a legend: series by their number, and other marks (null).
function legendOf(spec) {
  const names = (spec.series || []).map(one => one.name ?? one).map((name, i) => ({name, i}));
  for (const marks of [spec.marks, spec.points]) if (marks) names.push({name: marks.name, i: null});
  return names.length < 2 ? [] : names;
}

// Returns true if a chart shows its series as points, lines or areas.
function formOf(spec) {
  if (['lines', 'steps'].includes(spec.kind)) return 'line';
  const many = spec.kind === 'bars' && !spec.stacked && spec.series.length > 1 && spec.series.length * spec.categories.length > mostBars;
  return spec.kind === 'points' || spec.points_only || many ? 'point' : 'area';
}

function swatch(svg, spec, i) {
  if (i === null) published(svg.append('path').attr('d', diamond(7, 6)), null);
  else if (formOf(spec) === 'point') svg.append('path').attr({d: shape(i, 60), transform: 'translate(7,6)'}).style('fill', colour(i));
  else if (formOf(spec) === 'line') {
    svg.append('path').attr('d', 'M0 6H14').style({stroke: colour(i), 'stroke-width': 3, 'stroke-dasharray': dashes(i)});
    if (spec.kind === 'lines') svg.append('path').attr({d: shape(i, 50), transform: 'translate(7,6)'}).style('fill', colour(i));
  } else {
    stripes(svg, i + 1);
    svg.append('rect').attr({x: 1, y: 1, width: 11, height: 10}).style('fill', fill(spec, i));
  }
}
