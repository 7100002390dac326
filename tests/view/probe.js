// Checks the page of heddle view in a browser and sends its findings to the page around it. A fault is an error on the
// console. The attributes data-probe and data-width of the body name the check and the width of the page.
addEventListener('load', async () => {
  const wrong = text => { throw new Error(text); };
  const pause = time => new Promise(done => setTimeout(done, time));
  const press = (key, more) => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, ...more}));
  const place = () => new Map(location.hash.slice(1).split('&').map(word => word.split('=')));
  const found = [];

  // The page must be no wider than its window, and no text may cover another, whether nothing, an
  // instruction or a register is selected, or the list of keys is open.
  const widths = async () => {
    const width = innerWidth;
    if (width !== Number(document.body.dataset.width)) wrong(`the window is ${width} wide`);
    for (const state of ['nothing', 'an instruction', 'a register', 'the keys']) {
      if (state === 'an instruction') press('i');
      for (let step = 0; state === 'a register' && step < 20 && !place().has('r'); ++step) press(step % 2 ? 'n' : 'r');
      if (state === 'the keys') press('?');
      await pause(100);
      if (document.documentElement.scrollWidth > width) wrong(`the page is ${document.documentElement.scrollWidth} wide at ${width}`);
      const boxes = [];
      for (const node of document.querySelectorAll('#page *')) {
        const own = [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim());
        if (!own || !node.getClientRects().length || node.closest('.scroll, .tip, select')) continue;
        const text = document.createRange();
        text.selectNodeContents(node);
        let {left, right, top, bottom} = text.getBoundingClientRect();
        // A frame hides what does not fit.
        for (let frame = node; frame.id !== 'page'; frame = frame.parentElement) {
          if (getComputedStyle(frame).overflow === 'visible') continue;
          const edge = frame.getBoundingClientRect();
          [left, right, top, bottom] = [Math.max(left, edge.left), Math.min(right, edge.right), Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
        }
        if (right - left > 1 && bottom - top > 1) boxes.push([node, left, right, top, bottom]);
      }
      boxes.forEach(([node, left, right, top, bottom], i) => {
        if (left < -1 || right > width + 1) wrong(`"${node.textContent.slice(0, 30)}" leaves the page at ${width}`);
        for (const [other, otherLeft, otherRight, otherTop, otherBottom] of boxes.slice(i + 1))
          if (!node.contains(other) && left < otherRight - 1 && otherLeft < right - 1 && top < otherBottom - 3 && otherTop < bottom - 3)
            wrong(`"${node.textContent.slice(0, 30)}" and "${other.textContent.slice(0, 30)}" overlap at ${width} with ${state}`);
      });
      if (state === 'nothing') found.push(`${boxes.length} texts at ${width}`);
    }
  };

  // Every key must have the effect that the page's list of keys states.
  const keys = async () => {
    const first = Number(place().get('c'));
    press('ArrowRight');
    if (Number(place().get('c')) !== first + 1) wrong('ArrowRight');
    press('ArrowRight', {shiftKey: true});
    press('ArrowLeft');
    if (Number(place().get('c')) !== first + 10) wrong('ArrowLeft after ten steps');
    press('End');
    const last = Number(place().get('c'));
    if (last <= first + 10) wrong('End');
    press('Home');
    const warp = place().get('w');
    press('ArrowDown');
    if (place().get('w') === warp) wrong('ArrowDown');
    press('ArrowUp');
    if (place().get('w') !== warp) wrong('ArrowUp');
    press('i');
    const one = place().get('i');
    if (one === undefined) wrong('i follows nothing');
    if (!document.querySelector('section.instruction pre').textContent) wrong('the followed instruction has no text');
    if (document.querySelectorAll('.passed').length < 2) wrong('the followed instruction is in no part');
    press('n');
    if (place().get('i') === one) wrong('n');
    press('p');
    if (place().get('i') !== one) wrong('p');
    for (let step = 0; step < 20 && !place().has('r'); ++step) {
      press('r');
      if (!place().has('r')) press('n');
    }
    if (!place().has('r')) wrong('r follows no register');
    const steps = document.querySelectorAll('.trail tr').length;
    if (steps < 2) wrong(`the followed register has ${steps} steps`);
    press('w');
    if (place().get('by') !== 'warp') wrong('w');
    const before = place().get('c');
    press('ArrowRight');
    if (place().get('c') === before || !place().has('i')) wrong('a step by warp');
    press('c');
    if (place().get('by') !== 'cycle') wrong('c');
    press('+');
    if (!place().has('z')) wrong('+');
    press('-');
    press('Escape');
    if (place().has('i') || place().has('r')) wrong('Escape');
    press(' ');
    const start = Number(place().get('c'));
    await pause(700);
    press(' ');
    if (Number(place().get('c')) <= start) wrong('the space bar plays nothing');
    const help = document.querySelector('.help');
    press('?');
    if (help.hidden || help.querySelectorAll('dt').length < 10) wrong('?');
    found.push(`${help.querySelectorAll('dt').length} keys`);
  };

  // A part for which the page has no drawing must have a box with its counters, its gauge and its accesses.
  const toy = async () => {
    const title = [...document.querySelectorAll('.part h3')].find(node => node.firstChild.data === 'toy counter');
    if (!title) wrong('the toy stage has no box');
    const box = title.parentElement;
    if (!/reads/.test(box.textContent) || !/writes/.test(box.textContent)) wrong('the toy stage shows no counters');
    let passed = false;
    for (let step = 0; step < 300 && !passed; ++step) {
      press('ArrowRight');
      passed = /read r\d+ ↓/.test(box.textContent) && /reads \+\d/.test(box.textContent);
    }
    if (!passed) wrong('the toy stage passes no access on');
    found.push(box.textContent.slice(0, 60));
  };

  const checks = {widths, keys, toy};
  await checks[document.body.dataset.probe]();
  parent.postMessage(found.join(', '), '*');
});
