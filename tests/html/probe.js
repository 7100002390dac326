// Checks a report in a browser and writes its findings to an element "probe". A fault is an error on
// the console.
addEventListener('load', async () => {
  const wrong = text => { throw new Error(text); };
  let sorted = 0;
  for (const table of document.querySelectorAll('table')) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (head.tabIndex !== 0) wrong('the heading ' + head.textContent + ' has no place in the order of keys');
      const rows = table.tBodies[0].rows;
      if (!rows.length || rows[0].cells[column].dataset.v === undefined) return;
      head.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}));
      const values = [...rows].map(row => Number(row.cells[column].dataset.v)).filter(n => !isNaN(n));
      if (values.some((n, k) => k && n > values[k - 1])) wrong('column ' + head.textContent + ' is not sorted');
      ++sorted;
    });
  }
  const bad = [...document.querySelectorAll('svg *')].filter(e => [...e.attributes].some(a => /NaN|Infinity/.test(a.value)));
  if (bad.length) wrong(bad.length + ' parts of charts have no place');

  // Contrast of text by WCAG 2: at least 4.5 to 1.
  const channels = text => text.match(/[\d.]+/g).map(Number);
  const light = text => channels(text).slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor, alpha = channels(colour)[3];
      if (alpha === undefined || alpha === 1) return colour;
    }
    return getComputedStyle(document.body).backgroundColor;
  };
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    if (!own || ['SCRIPT', 'STYLE', 'NOSCRIPT'].includes(element.tagName) || !element.getClientRects().length) continue;
    const style = getComputedStyle(element), [a, b] = [light(element.closest('svg') ? style.fill : style.color), light(ground(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) wrong(`"${element.textContent.slice(0, 30)}" has a contrast of ${ratio.toFixed(1)}`);
  }

  // At any width, no label covers another, and no page is wider than its window.
  for (const width of [360, 1280, 1920]) {
    document.body.style.cssText = `width:${width}px;max-width:none;margin:0`;
    await new Promise(done => setTimeout(done, 300));
    for (const svg of document.querySelectorAll('figure.chart .plot svg')) {
      const edge = svg.getBoundingClientRect();
      const boxes = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
      boxes.forEach(([text, a], i) => {
        if (a.left < edge.left - 1 || a.right > edge.right + 1) wrong(`"${text}" leaves its chart at ${width}`);
        for (const [other, b] of boxes.slice(i + 1))
          if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)
            wrong(`"${text}" and "${other}" overlap at ${width}`);
      });
    }
    if (document.body.scrollWidth > width + 1) wrong(`the page is ${document.body.scrollWidth} wide at ${width}`);
  }

  // Charts react to their buttons and fields.
  let hidden = 0;
  for (const button of document.querySelectorAll('.tools button')) {
    const plot = button.closest('figure').querySelector('.plot'), before = plot.innerHTML;
    button.click();
    if (button.getAttribute('aria-pressed') !== 'false') wrong('a button of a legend does not say that it hides');
    hidden += plot.innerHTML !== before;
    button.click();
  }
  document.body.insertAdjacentHTML('beforeend',
    `<i id=probe>${sorted} columns, ${document.querySelectorAll('figure.chart .plot svg').length} charts, ${hidden} series hidden</i>`);
});
