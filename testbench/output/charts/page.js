// Draws the charts of a page with D3 (version 3): every <figure class="chart"> holds its data as JSON, written by
// chart.cpp. A chart is redrawn when the page's width changes, so that labels do not overlap at any
// width. Legends are buttons that show and hide a series; charts of many categories have a field to choose them.

function legend(tools, spec, state, draw) {
  for (const {name, i} of legendOf(spec)) {
    const button = tools.append('button').attr({type: 'button', 'aria-pressed': true, title: 'show or hide'});
    swatch(button.append('svg').attr({width: 14, height: 12, 'aria-hidden': true}), spec, i);
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
    for (const [name, i] of [['published', null], ['measured', 0]]) {
      const svg = key.append('svg').attr({width: 14, height: 12, 'aria-hidden': true});
      i === null ? swatch(svg, spec, i) : svg.append('circle').attr({cx: 7, cy: 6, r: 5}).style('fill', 'var(--s0)');
      key.append('span').text(name);
    }
  }
  legend(tools, spec, state, () => draw());
  choice(tools, spec, state, () => draw());
  draw(Math.max(280, plot.node().clientWidth));
  new ResizeObserver(() => requestAnimationFrame(() => {
    const width = Math.max(280, plot.node().clientWidth);
    if (width !== drawn) draw(width);
  })).observe(plot.node());
}
