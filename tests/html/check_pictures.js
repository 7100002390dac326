// Checks SVGs that the program has drawn, and charts of its pages drawn in three widths, in light and dark mode, without a
// browser. No label covers another or leaves the picture, by the widths of a wide font. Texts have contrast to their
// background. Series that a legend names look different.
//
//   node check_pictures.js FILE.svg|FILE.html...

const fs = require('fs');
const source = fs.readFileSync(`${__dirname}/../../testbench/output/charts/text.js`, 'utf8');
const wide = JSON.parse(source.match(/const wide = (\[[^\]]*\])/)[1]);
const widthOf = (text, size) => [...text].reduce((sum, c) => sum + (wide[c.charCodeAt(0) - 32] || 1000), 0) * size / 1000;

const lightOf = hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16) / 255)
  .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
const unescaped = text => text.replace(/&(amp|lt|gt|quot);/g, (all, name) => ({amp: '&', lt: '<', gt: '>', quot: '"'})[name]);

// Returns the elements in drawing order, each with its attributes, styles, text and position of its parents.
function elementsOf(svg) {
  const stack = [{name: '', x: 0, y: 0}], all = [];
  for (const [, closes, name, attributes, text] of svg.matchAll(/<(\/?)([a-z]+)((?: [\w:-]+="[^"]*")*)>([^<]*)/g)) {
    if (closes) { stack.pop(); continue; }
    const of = Object.fromEntries([...attributes.matchAll(/ ([\w:-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value]));
    const style = Object.fromEntries((of.style || '').split(';').map(one => one.split(':')));
    const parent = stack[stack.length - 1], moved = (of.transform || '').match(/translate\(([-\d.]+),([-\d.]+)\)/) || [0, 0, 0];
    const nested = name === 'svg' ? [Number(of.x || 0), Number(of.y || 0)] : [0, 0];
    const one = {name, of, style, text: unescaped(text), x: parent.x + Number(moved[1]) + nested[0], y: parent.y + Number(moved[2]) + nested[1],
                 hidden: parent.hidden || ['defs', 'style', 'title'].includes(name)};
    stack.push(one);
    if (!one.hidden) all.push(one);
  }
  return all;
}

function boxOf(one) {
  const size = parseFloat(one.style['font-size'] || 12), w = widthOf(one.text, size), x = one.x + Number(one.of.x), y = one.y + Number(one.of.y);
  const left = one.of['text-anchor'] === 'end' ? x - w : one.of['text-anchor'] === 'middle' ? x - w / 2 : x;
  return {text: one.text, left, right: left + w, top: y - size * 0.8, bottom: y + size * 0.2};
}

const inside = (x, y, one) => one.x + Number(one.of.x) <= x && x <= one.x + Number(one.of.x) + Number(one.of.width) &&
  one.y + Number(one.of.y) <= y && y <= one.y + Number(one.of.y) + Number(one.of.height);

function problemsOf(svg) {
  const problems = [], all = elementsOf(svg), [, width, height] = svg.match(/viewBox="0 0 ([\d.]+) ([\d.]+)"/).map(Number);
  const classes = Object.fromEntries([...svg.matchAll(/\.?(\w+)\{fill:(#[0-9a-f]{6})/g)].map(([, name, fill]) => [name, fill]));
  const rects = all.map((one, i) => [i, one]).filter(([, one]) => one.name === 'rect' && one.of.width !== '100%');
  const boxes = [], paper = all.find(one => one.of.width === '100%').style.fill;
  all.forEach((one, i) => {
    if (one.name !== 'text' || !one.text.trim()) return;
    const box = boxOf(one);
    if (box.left < -1 || box.right > width + 1 || box.top < -1 || box.bottom > height + 1) problems.push(`"${one.text}" leaves the picture`);
    for (const other of boxes)
      if (box.left < other.right - 1 && other.left < box.right - 1 && box.top < other.bottom - 1 && other.top < box.bottom - 1)
        problems.push(`"${one.text}" and "${other.text}" overlap`);
    boxes.push(box);
    const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
    const ground = rects.findLast(([at, rect]) => at < i && inside(x, y, rect))?.[1];
    const under = ground ? ground.style.fill : paper, ink = one.style.fill || classes[one.of.class] || classes.text;
    if (!/^#/.test(under) || contrast(lightOf(ink), lightOf(under)) < 4.5) problems.push(`"${one.text}" in ${ink} on ${under} is hard to read`);
  });
  const looks = new Map();
  all.forEach((one, i) => {
    if (one.name !== 'g' || all[i + 1]?.name === 'rect' && all[i + 1].of.class === 'bar' || !one.of.transform || !all[i + 1]) return;
    const marks = [];
    for (let k = i + 1; all[k] && all[k].name !== 'text'; ++k) marks.push(`${all[k].of.d} ${all[k].of.style}`);
    const look = marks.join('|'), name = all.slice(i + 1).find(next => next.name === 'text')?.text;
    if (looks.has(look)) problems.push(`"${looks.get(look)}" and "${name}" look alike`);
    looks.set(look, name);
  });
  if (/NaN|Infinity|undefined|var\(/.test(svg)) problems.push('a part has no place or no colour');
  return problems;
}

// Draws the charts of a page by the page's own script, at the widths of windows.
function drawnFrom(page) {
  const folder = `${__dirname}/../../testbench/output/charts`, read = name => fs.readFileSync(`${folder}/${name}.js`, 'utf8');
  const themes = [page.match(/:root\{color-scheme:light dark;([^}]*)\}/)[1], page.match(/prefers-color-scheme:dark\)\{:root\{([^}]*)\}/)[1]];
  const specs = [...page.matchAll(/<figure class=chart><script type="application\/json">([^<]*)</g)].map(found => JSON.parse(found[1]));
  const parts = ['text', 'axes', 'bars', 'curves', 'points', 'rows', 'stacks', 'kinds', 'picture'].map(read).join('\n');
  new Function(read('document') + '\nglobalThis.Heddle = {newDocument};')();
  globalThis.d3 = require('/usr/share/javascript/d3/d3.min.js');
  const drawn = [];
  for (const colours of themes) {
    const draw = new Function('colours', `${parts}\nreturn picture;`)(colours);
    for (const spec of specs) for (const width of [320, 1180, 1216]) drawn.push([`${spec.kind}, ${width} wide`, draw(structuredClone(spec), width)]);
  }
  return drawn;
}

let bad = 0, pictures = 0, foreign = 0;
for (const file of process.argv.slice(2)) {
  const text = fs.readFileSync(file, 'utf8'), page = file.endsWith('.html');
  if (!page && !/^<svg xmlns="[^"]*" width="\d+" role="img"/.test(text)) { ++foreign; continue; }
  for (const [name, svg] of page ? drawnFrom(text) : [['', text]]) {
    ++pictures;
    for (const problem of problemsOf(svg)) { ++bad; console.log(`${file} ${name}: ${problem}`); }
  }
}
console.log(`${pictures} pictures, ${bad} problems, ${foreign} files of another kind`);
process.exit(bad || !pictures ? 1 : 0);
