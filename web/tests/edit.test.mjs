// Changing numbers by hand: what follows changes on the screen and in the tensors, and undo brings the same bits back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { settle, startBrowser } from './browser.mjs';
import { bits, clickCell, dragCell, explanation, matrixPixels, press, session, status, typeNumber, until, value }
  from './person.mjs';

let browser, page;
before(async () => {
  browser = await startBrowser();
  page = await browser.open();
  await settle(page);
});
after(() => browser?.close());

const isSame = (a, b) => assert.deepEqual(a, b);

test('a number typed into inputs changes the weights, their picture and what follows; Ctrl+Z brings the same bits back', async () => {
  await clickCell(page, 'inputs', 1, 0);
  await settle(page);
  const bitsBefore = await bits(page);
  const picture = await matrixPixels(page, 'attention_weights');
  await typeNumber(page, '2.5');
  await press(page, 'Enter');
  await until('the number is there', async () => (await value(page, 'inputs', 1, 0)) === 2.5);
  const bitsAfter = await bits(page);
  for (const name of ['queries', 'attention_scores', 'attention_weights', 'context_vectors'])
    assert.notEqual(bitsAfter[name], bitsBefore[name], name);
  isSame(bitsAfter.W_query, bitsBefore.W_query);
  await until('the weights look otherwise', async () => !(await matrixPixels(page, 'attention_weights')).equals(picture));

  await press(page, 'Control+z');
  await until('the number is back', async () => (await value(page, 'inputs', 1, 0)) !== 2.5);
  isSame(await bits(page), bitsBefore);
  await clickCell(page, 'inputs', 1, 0); // Enter went on to the next row
  await until('the weights look as before', async () => (await matrixPixels(page, 'attention_weights')).equals(picture));

  await press(page, 'Control+Shift+z');
  await until('the change is there again', async () => (await value(page, 'inputs', 1, 0)) === 2.5);
  isSame(await bits(page), bitsAfter);
  await press(page, 'Control+z');
  isSame(await bits(page), bitsBefore);
});

test('dragging across a cell changes it continuously and is one step of undo', async () => {
  const start = await bits(page);
  await dragCell(page, 'W_query', 0, 1, [90, 0]);
  const dragged = await value(page, 'W_query', 0, 1);
  assert.ok(dragged > 0.9, `a drag to the right makes it larger: ${dragged}`);
  await press(page, 'Control+z');
  isSame(await bits(page), start);
});

test('Tab and arrows keep what was typed and go on, Escape restores, Enter opens the field', async () => {
  const start = await bits(page);
  await clickCell(page, 'inputs', 0, 0);
  await typeNumber(page, '1');
  await press(page, 'Tab');
  await typeNumber(page, '-2');
  await press(page, 'ArrowDown');
  await typeNumber(page, '3e-1');
  await press(page, 'ArrowLeft', 'Enter', '7', 'Escape');
  const rows = async () => [await value(page, 'inputs', 0, 0), await value(page, 'inputs', 0, 1),
    await value(page, 'inputs', 1, 1), await value(page, 'inputs', 1, 0)];
  isSame(await rows(), [1, -2, Math.fround(0.3), Math.fround(0.55)]);
  await page.mouse.move(700, 24);
  assert.match(await explanation(page), /^inputs\[journey, d₁\]/);
  for (let i = 0; i < 3; ++i) await press(page, 'Control+z');
  isSame(await bits(page), start);
});

test('what is no number is said and changes nothing', async () => {
  const start = await session(page);
  await clickCell(page, 'inputs', 2, 2);
  await typeNumber(page, '1-');
  await press(page, 'Enter');
  assert.match(await status(page), /"1-" is not a number/);
  await press(page, 'Escape');
  assert.equal(await session(page), start);
});

test('a computed cell takes no number', async () => {
  const start = await session(page);
  await clickCell(page, 'context_vectors', 1, 1);
  await typeNumber(page, '5');
  await press(page, 'Enter');
  await dragCell(page, 'context_vectors', 1, 1, [60, 0]);
  assert.equal(await session(page), start);
});

test('nothing was said in the console', () => assert.deepEqual(page.problems, []));
