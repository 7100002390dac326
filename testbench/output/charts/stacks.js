// Charts that compare techniques and their combinations: a map of a table, bars between two values, and the best value by
// row. Lower is better: less is blue, more is orange.

const lower = '#0072b2', higher = '#d55e00';

// Draws one cell per row and column, coloured by the distance of its value from the middle. Columns that equal the rows
// have the numbers of the rows' names. Other columns have their own numbers, which a line below explains.
function heat(plot, spec, state, width) {
  const same = spec.columns.length === spec.rows.length && spec.columns.every((name, c) => name === spec.rows[c]);
  const names = spec.rows.map((name, r) => same ? `${r + 1} ${name}` : name);
  const room = Math.min(0.42 * width, d3.max(names, name => widthOf(name)) + gap);
  const row = 19, across = Math.min(90, (width - room - 12) / spec.columns.length), head = 20;
  const fits = spec.columns.every(name => widthOf(name) <= across - 4);
  const box = surface(plot, spec, width, head + spec.rows.length * row + gap + 4, room, 12);
  const far = spec.values.flat().filter(v => v !== null).map(v => Math.abs(v - spec.middle)).sort(d3.ascending);
  const end = Math.max(spec.least, far[Math.floor(far.length * 0.9)] ?? 0);
  const tint = d3.scale.linear().domain([spec.middle - end, spec.middle, spec.middle + end]).range([lower, '#ffffff', higher]).clamp(true);
  const digits = across > widthOf('0.000', 10.5) + 4 ? spec.digits : Math.min(spec.digits, 2);
  const each = fits ? 1 : Math.ceil((widthOf(`${spec.columns.length}`) + 3) / across);
  spec.columns.forEach((name, c) => c % each === 0 && box.svg.append('text')
    .attr({class: 'soft', x: room + across * (c + 0.5), y: 15, 'text-anchor': 'middle'}).text(fits ? name : `${c + 1}`).append('title').text(name));
  spec.rows.forEach((of, r) => {
    const y = head + row * r;
    box.svg.append('text').attr({x: room - 5, y: y + 14, 'text-anchor': 'end'}).text(fitted(names[r], room - 6)).append('title').text(of);
    spec.values[r].forEach((value, c) => {
      if (value === null) return;
      const text = value.toFixed(digits), ground = tint(value);
      box.svg.append('rect').attr({class: 'bar', x: room + across * c + 0.5, y: y + 0.5, width: across - 1, height: row - 1}).style('fill', ground)
        .datum(`${of}, ${spec.columns[c]}: ${shown(value)}`).call(tells(told => told));
      if (widthOf(text, 10.5) > across - 3) return;
      box.svg.append('text').attr({x: room + across * (c + 0.5), y: y + 13.5, 'text-anchor': 'middle'})
        .style({fill: inkOn(ground), 'font-size': '10.5px', 'pointer-events': 'none'}).text(text);
    });
  });
  if (!fits && !same) below(plot, spec.columns.map((name, c) => `${c + 1} ${name}`).join(', '), width);
}

// Breaks a text into lines.
function below(plot, text, width) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = lines[lines.length - 1] ? lines[lines.length - 1] + ' ' + word : word;
    if (widthOf(longer) > width - 24) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  const svg = plot.append('svg').attr({width, height: 16 * lines.length + 8, viewBox: `0 0 ${width} ${16 * lines.length + 8}`});
  lines.forEach((line, i) => svg.append('text').attr({class: 'soft', x: 12, y: 16 * i + 14}).text(line));
}

// Draws each row from one value to another, with its text to the right, and a dashed line at the common base.
function spans(plot, spec, state, width) {
  const row = 22, scale = range([...spec.rows.flatMap(one => [one.from, one.to]), ...(spec.line === null ? [] : [spec.line])], false);
  const room = 12 + Math.min(0.34 * width, d3.max(spec.rows, one => widthOf(one.text)));
  const box = lying(plot, spec, width, spec.rows.map(one => one.name), row, scale, room);
  if (spec.line !== null) box.svg.append('path').attr({class: 'level', d: `M${scale(spec.line)} ${box.top}V${box.bottom}`});
  spec.rows.forEach((one, r) => {
    const [left, right] = d3.extent([scale(one.from), scale(one.to)]), y = box.middle(r);
    box.svg.append('rect').attr({class: 'bar', x: left, y: y - 7, width: Math.max(right - left, 1), height: 14})
      .style('fill', one.to < one.from || one.from === 0 ? lower : higher).datum(`${one.name}: ${shown(one.from)} to ${shown(one.to)}`).call(tells(told => told));
    box.svg.append('text').attr({x: right + 5, y: y + 4}).text(fitted(one.text, box.width - right - 7));
  });
}
