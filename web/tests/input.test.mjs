import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { frames, settle, startBrowser } from './browser.mjs';
import { cellArea, click, clickCell, dragCell, drawn, middleOf, PLACES, press, session, value } from './person.mjs';

let browser;
before(async () => (browser = await startBrowser()));
after(() => browser?.close());

test('keys of the browser stay the browser’s, keys of the program do not leave the page', async () => {
  const page = await browser.open();
  await settle(page);
  await page.evaluate(() => {
    window.prevented = {};
    const note = (event) => (window.prevented[`${event.ctrlKey ? 'Ctrl+' : ''}${event.key}`] = event.defaultPrevented);
    const target = document.activeElement;
    for (const [key, code, keyCode, ctrlKey] of [['r', 'KeyR', 82, true], ['F5', 'F5', 116, false], ['Tab', 'Tab', 9, false],
      ['s', 'KeyS', 83, true], ['z', 'KeyZ', 90, true], ['ArrowDown', 'ArrowDown', 40, false], ['c', 'KeyC', 67, true]]) {
      const event = new KeyboardEvent('keydown', { key, code, keyCode, ctrlKey, bubbles: true, cancelable: true });
      target.dispatchEvent(event);
      note(event);
    }
  });
  assert.deepEqual(await page.evaluate(() => window.prevented), {
    'Ctrl+r': false, F5: false, 'Ctrl+c': false, Tab: true, 'Ctrl+s': true, 'Ctrl+z': true, ArrowDown: true,
  });
});

test('the canvas has the keyboard from the start and again after the mouse is used', async () => {
  const page = await browser.open();
  await settle(page);
  const focused = () => page.evaluate(() => document.activeElement.id);
  assert.equal(await focused(), 'canvas');
  await page.evaluate(() => document.activeElement.blur());
  await page.mouse.click(640, 500);
  await settle(page);
  assert.equal(await focused(), 'canvas');
});

test('Ctrl+O opens a file dialog inside the event, and what is chosen arrives', async () => {
  const page = await browser.open();
  const chooser = page.waitForEvent('filechooser'); // what the browser has to be told before the key comes
  await settle(page);
  await page.keyboard.press('Control+o');
  const before_frames = await frames(page);
  await (await chooser).setFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
  await settle(page);
  assert.ok((await frames(page)) > before_frames);
  assert.deepEqual(page.problems, []);
});

test('a finger taps and drags, two fingers pinch, without a word in the console', async () => {
  const page = await browser.open({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
  await settle(page);
  const client = await page.context().newCDPSession(page);
  const touch = (type, ...points) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y, id]) => ({ x, y, id })) });
  const before_frames = await frames(page);
  await page.touchscreen.tap(200, 600);
  await settle(page);
  assert.ok((await frames(page)) > before_frames);
  const before = await cellArea(page, 'attention_weights', 2, 2);
  await touch('touchStart', [150, 300, 0]);
  await touch('touchStart', [150, 300, 0], [250, 300, 1]);
  for (const by of [5, 10, 15, 20, 25]) {
    await touch('touchMove', [150 - by, 300, 0], [250 + by, 300, 1]);
    await drawn(page);
  }
  await touch('touchEnd');
  await settle(page);
  // Half as large again, and what lay between the fingers is still there.
  const after = await cellArea(page, 'attention_weights', 2, 2);
  const near = (number, expected) => assert.ok(Math.abs(number - expected) < 2, `${number}, but ${expected} expected`);
  near(after.width, 1.5 * before.width);
  near(after.x - 200, 1.5 * (before.x - 200));
  near(after.y - 300, 1.5 * (before.y - 300));
  assert.equal(await page.evaluate(() => window.visualViewport.scale), 1);
  assert.deepEqual(page.problems, []);
});

test('on a phone the chosen number is typed by the screen keyboard, or dragged', async () => {
  const page = await browser.open({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
  await settle(page);
  const client = await page.context().newCDPSession(page);
  const touch = (type, ...points) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y, id: 0 })) });
  const tap = async ([x, y]) => (await page.touchscreen.tap(x, y), await settle(page));
  const focused = () => page.evaluate(() => document.activeElement.id);
  await tap([39, 820]); // the tab "Inputs"
  const cell = await middleOf(page, 'inputs', 1, 0);
  await tap(cell);
  assert.equal(await focused(), 'canvas');
  await tap(cell);
  assert.equal(await focused(), 'typing');
  await page.keyboard.insertText('7');
  await page.keyboard.press('Enter');
  await settle(page);
  assert.equal(await value(page, 'inputs', 1, 0), 7);
  assert.equal(await focused(), 'canvas');

  const [x, y] = await middleOf(page, 'inputs', 4, 0);
  await tap([x, y]);
  const before = await value(page, 'inputs', 4, 0);
  await touch('touchStart', [x, y]);
  for (let step = 1; step <= 6; ++step) {
    await touch('touchMove', [x + 10 * step, y]);
    await drawn(page);
  }
  await touch('touchEnd');
  await settle(page);
  assert.equal((await value(page, 'inputs', 4, 0) - before).toFixed(2), '0.50');
  assert.equal(await focused(), 'canvas');
});

test('what was clicked long ago is no half of a double click, though nothing was drawn since', async () => {
  const page = await browser.open();
  await settle(page);
  await clickCell(page, 'inputs', 1, 0);
  await page.waitForTimeout(1500);
  const before = await value(page, 'inputs', 1, 0);
  await dragCell(page, 'inputs', 1, 0, [60, 0]);
  assert.equal((await value(page, 'inputs', 1, 0) - before).toFixed(2), '0.50');
});

test('a title typed right after “Rename” and a word right after a double click keep their first letter', async () => {
  const page = await browser.open();
  await settle(page);
  await click(page, PLACES.session);
  await page.mouse.click(...PLACES.rename);
  await page.keyboard.type('My class');
  await press(page, 'Enter');
  await settle(page);
  assert.equal(JSON.parse(await session(page)).title, 'My class');
  await page.mouse.dblclick(...PLACES.thirdChip);
  await page.keyboard.type('wolfgang');
  await press(page, 'Enter');
  await settle(page);
  assert.equal(JSON.parse(await session(page)).tokens[2], 'wolfgang');
});

test('what is typed while the screen is drawn takes no frame for each letter', async () => {
  const page = await browser.open();
  await settle(page);
  await press(page, 'Alt+n');
  await settle(page);
  await press(page, 'Control+a');
  await settle(page);
  const text = 'When the old lighthouse keeper finally slept the whole harbour dreamed of silver fish';
  const before = await frames(page);
  const keys = await page.context().newCDPSession(page);
  await Promise.all([...text].flatMap((letter) => [
    keys.send('Input.dispatchKeyEvent', { type: 'keyDown', key: letter, text: letter }),
    keys.send('Input.dispatchKeyEvent', { type: 'keyUp', key: letter }),
  ]));
  await settle(page);
  assert.ok(await frames(page) - before < text.length - 20, `${await frames(page) - before} frames`);
  await press(page, 'Enter');
  await settle(page);
  assert.deepEqual(JSON.parse(await session(page)).tokens, text.split(' '));
});

test('clicks whose presses and releases come before a frame is drawn are clicks', async () => {
  const page = await browser.open();
  await settle(page);
  const hand = await page.context().newCDPSession(page);
  const click = async ([x, y], nTimes) => {
    await page.mouse.move(x, y);
    await settle(page);
    const events = Array.from({ length: nTimes }, (_, i) => ['mousePressed', 'mouseReleased'].map((type) => (
      { type, x, y, button: 'left', clickCount: i + 1 }))).flat();
    await Promise.all(events.map((event) => hand.send('Input.dispatchMouseEvent', event)));
    await page.mouse.move(x, y + 400);
    await settle(page);
  };
  await click(await middleOf(page, 'attention_weights', 3, 4), 1);
  assert.match(await page.evaluate(() => attentionLab.explanation()), /^attention_weights\[with, one\]/);
  await click(PLACES.thirdChip, 2);
  await page.keyboard.type('wolfgang');
  await press(page, 'Enter');
  await settle(page);
  assert.equal(JSON.parse(await session(page)).tokens[2], 'wolfgang');
});

test('/ goes to a number by its words, typed as fast as a hand can', async () => {
  const page = await browser.open();
  await settle(page);
  await page.keyboard.type('/with');
  await page.keyboard.press('Tab');
  await page.keyboard.type('one');
  await settle(page);
  await page.keyboard.press('Enter');
  await settle(page);
  assert.match(await page.evaluate(() => attentionLab.explanation()), /^attention_weights\[with, one\]: how much with attends to one/);
  assert.deepEqual(page.problems, []);
});

test('a drag goes on outside of the page and ends where the button is let go', async () => {
  const page = await browser.open();
  await settle(page);
  const now = () => value(page, 'W_query', 0, 0);
  const [x, y] = await middleOf(page, 'W_query', 0, 0);
  for (const outside of [[x, -60], [-60, y], [x, 860], [1340, y]]) {
    const before = await now();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move((x + outside[0]) / 2, (y + outside[1]) / 2);
    await drawn(page); // what is held draws all the time
    const inside = await now();
    assert.notEqual(inside, before);
    await page.mouse.move(...outside);
    await drawn(page);
    const at_end = await now();
    assert.notEqual(at_end, inside, 'it follows the hand');
    await page.mouse.up();
    await page.mouse.move(640, 700, { steps: 3 });
    await settle(page);
    assert.equal(await now(), at_end, 'nobody holds it any more');
  }
  assert.deepEqual(page.problems, []);
});

test('undo that is pressed as the hand lets go of a number is not lost, however slowly the screen is drawn', async () => {
  const page = await browser.open();
  await settle(page);
  const before_bits = await value(page, 'inputs', 0, 0);
  const [x, y] = await middleOf(page, 'inputs', 0, 0);
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= 12; ++step) await page.mouse.move(x + 6 * step, y);
  await settle(page);
  assert.notEqual(await value(page, 'inputs', 0, 0), before_bits);
  await Promise.all([page.mouse.up(), page.keyboard.press('Control+z')]);
  await settle(page);
  assert.equal(await value(page, 'inputs', 0, 0), before_bits);
});

test('the keypad types numbers', async () => {
  const page = await browser.open();
  await settle(page);
  const client = await page.context().newCDPSession(page);
  const type = async (key, code, windowsVirtualKeyCode) => {
    const of_keypad = { key, code, windowsVirtualKeyCode, location: 3, isKeypad: true };
    await client.send('Input.dispatchKeyEvent', { type: 'keyDown', ...of_keypad, ...(key.length === 1 ? { text: key } : {}) });
    await client.send('Input.dispatchKeyEvent', { type: 'keyUp', ...of_keypad });
    await settle(page);
  };
  await clickCell(page, 'W_query', 0, 0);
  for (const each of [['-', 'NumpadSubtract', 109], ['7', 'Numpad7', 103], ['.', 'NumpadDecimal', 110], ['5', 'Numpad5', 101]])
    await type(...each);
  await type('Enter', 'NumpadEnter', 13);
  assert.equal(await value(page, 'W_query', 0, 0), -7.5);
});
