// The base of a chart: its SVG, its scales and their marks.

// Makes an SVG whose left margin is as wide as its labels.
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

// Draws the marks of a horizontal scale. A mark that overlaps the previous one is left out.
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

// Draws rows with their names on the left and a scale below, for horizontal charts.
function lying(plot, spec, width, names, row, scale, right = 24) {
  const room = Math.min(0.42 * width, d3.max(names, name => widthOf(name)) + gap);
  const box = surface(plot, spec, width, names.length * row + gap + 22, room, right);
  scale.range([box.left + 2, box.right]);
  baseAxis(box, scale, true);
  names.forEach((name, i) => {
    const y = box.top + row * (i + 0.5);
    const text = box.svg.append('text').attr({x: box.left - 5, y: y + 4, 'text-anchor': 'end'}).text(fitted(name, room - 6));
    if (widthOf(name) > room - 6) text.append('title').text(name);
  });
  box.middle = i => box.top + row * (i + 0.5);
  return box;
}

// Draws a diamond for a published value, in its series' colour.
const diamond = (x, y, r = 5) => `M${x} ${y}m${-r} 0l${r} ${-r}l${r} ${r}l${-r} ${r}z`;
const published = (mark, i) => mark.attr('class', 'mark point').style('stroke', i === null ? 'var(--ink)' : colour(i));
