// Texts and colours of charts. A browser draws a chart in a page, and Node draws it as a picture. Only a browser can
// measure text, so pictures use the widths of a wide font.

const font = 12, gap = 8;

// Widths of the characters from ' ' to '~' in DejaVu Sans, thousandths of its size.
const wide = [
  318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636, 636, 636, 636,
  337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,
  611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974,
  634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838];
const tabled = (text, size) => [...text].reduce((sum, c) => sum + (wide[c.charCodeAt(0) - 32] || 1000), 0) * size / 1000;

const canvas = document.createElement('canvas').getContext?.('2d');
if (canvas) canvas.font = font + 'px system-ui,sans-serif';
const widthOf = (text, size = font) => canvas ? canvas.measureText(text).width * size / font : tabled(text, size);

const shown = value => value === null || value === undefined ? '-' : Number(value.toPrecision(5)).toLocaleString('en-GB', {maximumFractionDigits: 6});

// Returns the part of a text that fits.
function fitted(text, room, size = font) {
  if (widthOf(text, size) <= room) return text;
  let length = text.length;
  while (length > 1 && widthOf(text.slice(0, length) + '…', size) > room) --length;
  return text.slice(0, length) + '…';
}

// Eight colours that colour-blind readers can distinguish. The next eight are the same with stripes, dashed lines, and
// points of another shape.
const colour = i => `var(--s${i % 8})`;
const dashes = i => i < 8 ? null : i < 16 ? '7 3' : '2 3';
const fill = (spec, i) => spec.colours ? `var(--${spec.colours[i]})` : i < 8 ? colour(i) : `url(#stripes${i})`;
const shapes = ['circle', 'square', 'triangle-up', 'cross', 'triangle-down', 'diamond'];
const shape = (i, size = 44) => d3.svg.symbol().type(shapes[Math.floor(i / 8 + i) % shapes.length]).size(size)();

function stripes(svg, count) {
  if (count <= 8) return;
  const defs = svg.append('defs');
  for (let i = 8; i < count; ++i) {
    const pattern = defs.append('pattern').attr({id: 'stripes' + i, width: 6, height: 6, patternUnits: 'userSpaceOnUse',
                                                 patternTransform: `rotate(${i < 16 ? 45 : -45})`});
    pattern.append('rect').attr({width: 6, height: 6}).style('fill', colour(i));
    pattern.append('rect').attr({width: 2.5, height: 6}).style('fill', 'var(--ground)');
  }
}

// Returns the luminance of a colour by WCAG 2, and the ink with the better contrast: black or white.
const lightOf = hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16) / 255)
  .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const inkOn = hex => lightOf(hex) > 0.179 ? '#000000' : '#ffffff';

const tip = d3.select(document.body).append('div').attr('class', 'tip').style('display', 'none');
function say(text) {
  if (!text) return tip.style('display', 'none');
  tip.text(text).style('display', 'block');
  const box = tip.node().getBoundingClientRect(), at = d3.event;
  tip.style({left: Math.max(4, Math.min(at.clientX + 14, innerWidth - box.width - 4)) + 'px',
             top: Math.max(4, Math.min(at.clientY + 14, innerHeight - box.height - 4)) + 'px'});
}
const tells = text => function (selection) {
  selection.on('mousemove', function () { say(text.apply(this, arguments)); }).on('mouseleave', () => say(null));
};
