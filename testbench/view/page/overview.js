// Draws the state and the issues of all warps over the visible cycles. A click on a position chooses a cycle and a warp.

const range = {from: data.from, to: data.to};
const kRow = 7;
const overview = {};

// The gauge that shows the states of the warps: it has one cell for each warp.
const warpStates = gauges.find(gauge => gauge.form === 'states' && gauge.most === data.warps && data.warps > 1);

function spansOfWarps() {
  if (overview.spans) return overview.spans;
  const spans = new Map(warpsSeen.map(warp => [warp, []])), last = [];
  const put = (warp, from, to, value) => { if (value && to > from && spans.has(warp)) spans.get(warp).push([from, to, value]); };
  for (const record of cycles) {
    const changes = record[1];
    for (let i = 0; i < changes.length; i += 3) {
      if (!warpStates || changes[i] !== warpStates.number) continue;
      const warp = changes[i + 1], before = last[warp] || [data.from, 0];
      put(warp, before[0], record[0], before[1]);
      last[warp] = [record[0], changes[i + 2]];
    }
  }
  last.forEach(([from, value], warp) => put(warp, from, data.to + 1, value));
  return overview.spans = spans;
}

function makeOverview() {
  const frame = element('div', 'overview'), plot = element('div', 'plot'), canvas = element('canvas');
  const head = element('i', 'head'), mark = element('i', 'row'), axis = element('div', 'axis'), legend = element('div', 'legend');
  plot.append(canvas, mark, head);
  frame.append(plot, axis, legend);
  Object.assign(overview, {plot, canvas, head, mark, axis});
  const rows = Math.max(warpsSeen.length, 1);
  plot.style.height = rows * kRow + 'px';
  const at = event => {
    const place = plot.getBoundingClientRect();
    return {cycle: Math.floor(range.from + (event.clientX - place.left) / place.width * (range.to - range.from + 1)),
            warp: warpsSeen[Math.floor((event.clientY - place.top) / kRow)]};
  };
  let dragging = false;
  plot.addEventListener('pointerdown', event => {
    dragging = true;
    plot.setPointerCapture(event.pointerId);
    choose(at(event));
  });
  plot.addEventListener('pointermove', event => {
    const {cycle, warp} = at(event);
    if (dragging) choose({cycle});
    const span = (spansOfWarps().get(warp) || []).find(one => one[0] <= cycle && cycle < one[1]);
    plot.dataset.tip = warp === undefined ? '' : `${warpName(warp)}, cycle ${cycle}: ${span ? warpStates.states[span[2]].name : 'empty'}`;
    showTip(plot, event);
  });
  plot.addEventListener('pointerup', () => { dragging = false; });
  if (warpStates) {
    const seen = new Set([...spansOfWarps().values()].flat().map(span => span[2]));
    for (const state of warpStates.states.filter(one => seen.has(one.index))) {
      const swatch = element('i', 'swatch'), item = element('span');
      swatch.dataset.state = state.index;
      item.append(swatch, state.name);
      legend.append(item);
    }
  }
  overview.legend = legend;
  return frame;
}

function drawOverview() {
  const {plot, canvas, head, mark, axis, legend} = overview;
  const ratio = devicePixelRatio || 1, width = plot.clientWidth, height = plot.clientHeight;
  const length = range.to - range.from + 1, x = cycle => (cycle - range.from) / length * width;
  const key = [range.from, range.to, width, isDark(), shown.instruction && shown.instruction.u].join();
  head.style.left = x(shown.cycle) + 'px';
  head.style.width = Math.max(2, width / length) + 'px';
  const row = warpsSeen.indexOf(shown.warp);
  mark.hidden = row < 0;
  mark.style.top = row * kRow + 'px';
  if (overview.key === key) return;
  overview.key = key;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext('2d');
  pen.scale(ratio, ratio);
  for (const swatch of legend.querySelectorAll('.swatch')) swatch.style.background = stateColour(warpStates, Number(swatch.dataset.state));
  const spans = spansOfWarps();
  warpsSeen.forEach((warp, index) => {
    const issues = [];
    for (const span of spans.get(warp)) {
      if (span[1] <= range.from || span[0] > range.to) continue;
      if (warpStates.states[span[2]].tone === 'active') {
        issues.push(span);
        continue;
      }
      pen.fillStyle = stateColour(warpStates, span[2]);
      pen.fillRect(x(span[0]), index * kRow, Math.max(0.4, x(span[1]) - x(span[0])), kRow - 1);
    }
    for (const span of issues) {
      pen.fillStyle = stateColour(warpStates, span[2]);
      pen.fillRect(x(span[0]), index * kRow, Math.max(0.7, x(span[1]) - x(span[0])), kRow - 1);
    }
  });
  const one = shown.instruction;
  if (one) {
    const place = warpsSeen.indexOf(one.w) * kRow;
    pen.strokeStyle = styleOf('accent');
    pen.lineWidth = 2;
    pen.strokeRect(x(one.begin), place - 0.5, Math.max(3, x((one.done ? one.end : data.to) + 1) - x(one.begin)), kRow);
  }
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000];
  const step = steps.find(one => one * width / length > 70) || 200000;
  axis.replaceChildren();
  for (let cycle = Math.ceil(range.from / step) * step; cycle <= range.to; cycle += step) {
    const tick = element('span', '', String(cycle));
    tick.style.left = x(cycle) + 'px';
    if (x(cycle) < width - 30) axis.append(tick);
  }
}

// Zooms around the shown cycle; a factor below 1 shows fewer cycles.
function zoom(factor) {
  const whole = data.to - data.from + 1;
  const length = Math.max(20, Math.min(whole, Math.round((range.to - range.from + 1) * factor)));
  showRange(Math.round(shown.cycle - length / 2), length);
  draw();
}
function showRange(from, length) {
  range.from = Math.max(data.from, Math.min(from, data.to - length + 1));
  range.to = Math.min(data.to, range.from + length - 1);
}
function keepInRange() {
  if (shown.cycle >= range.from && shown.cycle <= range.to) return;
  const length = range.to - range.from + 1;
  showRange(Math.round(shown.cycle - length / 4), length);
}
