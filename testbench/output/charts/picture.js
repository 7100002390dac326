// Writes a chart as an SVG file: its unit, its legend and the drawing of the page's script, on white ground, in the page's
// light colours. Node runs this script. `pictures` holds the files' names and the chart of each.

const palette = Object.fromEntries([...colours.matchAll(/--(\w+):(#\w+)/g)].map(([, name, value]) =>
  [name, value.length === 4 ? '#' + [...value.slice(1)].map(c => c + c).join('') : value]));
const inColours = text => text.replace(/var\(--(\w+)\)/g, (all, name) => palette[name]);
const rules = inColours('text{fill:var(--ink);font:12px system-ui,sans-serif}.soft{fill:var(--soft)}.rule{stroke:var(--rule);fill:none}' +
  '.lead{stroke:var(--soft);stroke-width:.6;fill:none}.zero{stroke:var(--soft);fill:none}.joined{stroke:var(--soft);fill:none;stroke-dasharray:4 3}.level{stroke:var(--ink);fill:none;stroke-dasharray:6 4}' +
  '.mark{stroke:var(--ink);stroke-width:2;fill:none}.mark.point{fill:var(--ground)}');

const escaped = text => text.replace(/[&<>"]/g, c => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'})[c]);
const rounded = text => text.replace(/-?\d+\.\d{3,}/g, number => `${Math.round(number * 100) / 100}`);

function written(node) {
  const style = [...node.style.all].map(([name, value]) => `${name}:${value}`).join(';');
  const attributes = [...node.attributes, ...(style ? [['style', style]] : [])]
    .map(([name, value]) => ` ${name}="${escaped(inColours(['d', 'transform', 'x', 'y', 'width', 'height', 'cx', 'cy'].includes(name) ? rounded(value) : value))}"`);
  return `<${node.nodeName}${attributes.join('')}>${escaped(node.content)}${node.childNodes.map(written).join('')}</${node.nodeName}>\n`;
}

// Draws swatches and names in as many lines as needed, and returns their height.
function legendLines(svg, spec, width, top) {
  let x = 12, y = top;
  const names = spec.kind === 'pairs' ? [] : legendOf(spec);
  for (const {name, i} of names) {
    const room = 20 + widthOf(name) + 16;
    if (x > 12 && x + room > width) { x = 12; y += 18; }
    swatch(svg.append('g').attr('transform', `translate(${x},${y})`), spec, i);
    svg.append('text').attr({x: x + 20, y: y + 10}).text(fitted(name, width - 40));
    x += room;
  }
  return names.length ? y + 20 : top;
}

// Places the parts one below the other.
function picture(spec, width) {
  const root = d3.select(document.body).append('svg').attr({xmlns: 'http://www.w3.org/2000/svg', width, role: 'img', 'aria-label': spec.title});
  root.append('style').text(rules);
  const ground = root.append('rect').attr({width: '100%', height: '100%'}).style('fill', 'var(--ground)');
  stripes(root, (spec.series || []).length);
  let y = 6;
  if (spec.y) { root.append('text').attr({class: 'soft', x: 12, y: y + 12}).text(fitted(spec.y, width - 24)); y += 20; }
  y = legendLines(root, spec, width, y);
  kinds[spec.kind](root, spec, {hidden: new Set(), words: '', order: ''}, width);
  for (const child of root.node().childNodes.filter(node => node.nodeName === 'svg')) {
    child.setAttribute('y', y);
    for (const name of ['role', 'aria-label']) child.removeAttribute(name);
    child.childNodes = child.childNodes.filter(node => node.nodeName !== 'defs');
    y += Number(child.getAttribute('height'));
  }
  if (spec.x) { root.append('text').attr({class: 'soft', x: width - 16, y: y + 12, 'text-anchor': 'end'}).text(fitted(spec.x, width - 32)); y += 20; }
  root.attr({height: y + 4, viewBox: `0 0 ${width} ${y + 4}`});
  return written(root.node());
}
