// Looking at numbers by hand: the sum behind each, the chosen query, steps, settings, theme and help.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { settle, startBrowser } from './browser.mjs';
import { click, clickCell, explanation, hoverCell, pixels, PLACES, press, restingPixels, session, status, until, value }
  from './person.mjs';

const NOWHERE = [850, 24]; // in the top bar

let browser, page;
before(async () => (browser = await startBrowser()));
beforeEach(async () => {
  page = await browser.open();
  await settle(page);
});
afterEach(async () => {
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
after(() => browser?.close());

const looksOtherwise = (clip, before) =>
  until('it looks otherwise', async () => !(await pixels(page, clip)).equals(before));
const looksAs = (clip, before) => until('it looks as before', async () => (await pixels(page, clip)).equals(before));
const isSeen = (name) => page.evaluate((tensor) => attentionLab.cellArea(tensor, 0, 0) !== null, name);
const four = (number) => number.toFixed(4).replace('-', '−');

test('the inspector shows the sum behind a number while the mouse is on it', async () => {
  const before = await restingPixels(page, PLACES.inspector);
  assert.match(await explanation(page), /^attention_weights\[journey, starts\]/);
  await hoverCell(page, 'queries', 1, 1);
  const text = await explanation(page);
  const sum = await Promise.all([0, 1, 2].map(async (i) =>
    `${four(await value(page, 'inputs', 1, i))}·${four(await value(page, 'W_query', i, 1))}`));
  assert.match(text, /^queries\[journey, d₂\]/);
  for (const product of sum) assert.ok(text.includes(product), `${product} in ${text}`);
  assert.ok(text.includes(four(await value(page, 'queries', 1, 1))), text);
  assert.equal(await status(page), `queries[journey, d₂] = ${four(await value(page, 'queries', 1, 1))}`);
  await looksOtherwise(PLACES.inspector, before);
  await page.mouse.move(...NOWHERE);
  await looksAs(PLACES.inspector, before);
});

test('a click keeps a number explained, arrows go on from it, Escape lets go of it', async () => {
  await clickCell(page, 'attention_weights', 3, 1);
  await page.mouse.move(...NOWHERE);
  assert.match(await explanation(page), /^attention_weights\[with, journey\]: how much with attends to journey/);
  await press(page, 'ArrowRight', 'ArrowDown');
  assert.match(await explanation(page), /^attention_weights\[one, starts\]/);
  await press(page, 'Shift+Tab');
  assert.match(await explanation(page), /^attention_weights\[one, journey\]/);
  await press(page, 'Alt+ArrowLeft');
  assert.match(await explanation(page), /^attention_weights\[one, starts\]/);
  await press(page, 'Escape');
  assert.equal(await explanation(page), '');
});

test('a click on a token chooses the query', async () => {
  const canvas = await restingPixels(page, PLACES.canvas);
  await click(page, PLACES.thirdChip);
  await page.mouse.move(...NOWHERE);
  assert.match(await explanation(page), /^attention_weights\[starts, starts\]: how much starts attends to starts/);
  await looksOtherwise(PLACES.canvas, canvas);
  await press(page, 'Shift+q');
  assert.match(await explanation(page), /^attention_weights\[journey, starts\]/);
  await looksAs(PLACES.canvas, canvas);
});

test('step by step the canvas shows what is computed so far', async () => {
  const canvas = await restingPixels(page, PLACES.canvas);
  await click(page, PLACES.nextStep);
  assert.equal(await isSeen('inputs'), true);
  assert.equal(await isSeen('queries'), false);
  assert.match(await explanation(page), /^inputs\[journey, d₁\]/);
  await press(page, ']');
  assert.equal(await isSeen('queries'), true);
  assert.equal(await isSeen('attention_scores'), false);
  await press(page, ']', ']', ']');
  assert.equal(await isSeen('attention_weights'), true);
  assert.equal(await isSeen('context_vectors'), false);
  await click(page, PLACES.previousStep);
  assert.equal(await isSeen('attention_weights'), false);
  await press(page, ']', ']', ']', ']');
  assert.equal(await isSeen('context_vectors'), true);
  assert.match(await explanation(page), /^context_vectors\[journey, d₁\]/);
  await clickCell(page, 'attention_weights', 1, 2); // as it was pinned before
  await page.mouse.move(...NOWHERE);
  await looksAs(PLACES.canvas, canvas);
});

test('the mask is set to causal in the settings, and undone', async () => {
  const before = await session(page);
  await click(page, PLACES.mask);
  await settle(page);
  await click(page, PLACES.causal);
  await until('the mask is causal', async () => JSON.parse(await session(page)).attention.mask === 'causal');
  assert.equal(await value(page, 'attention_weights', 0, 1), 0);
  assert.equal(await value(page, 'attention_weights', 0, 0), 1);
  assert.equal(await value(page, 'masked_scores', 2, 3), -Infinity);
  await hoverCell(page, 'attention_weights', 0, 1);
  assert.match(await explanation(page), /^0\.0000 = e\^\(−∞ − /m);
  await press(page, 'Control+z');
  assert.equal(await session(page), before);
});

test('the theme changes and is remembered', async () => {
  const theme = () => page.evaluate(() => localStorage.getItem('attention-lab.theme'));
  const before = await restingPixels(page, PLACES.canvas);
  await click(page, PLACES.theme);
  await page.mouse.move(...NOWHERE);
  await looksOtherwise(PLACES.canvas, before);
  const other = await restingPixels(page, PLACES.canvas);
  const chosen = await theme();
  assert.ok(['dark', 'light'].includes(chosen));
  await page.reload();
  await page.evaluate(() => attentionLab.ready);
  await looksAs(PLACES.canvas, other);
  await press(page, 't');
  await looksAs(PLACES.canvas, before);
  assert.notEqual(await theme(), chosen);
});

test('? shows the list of keys, Escape closes it', async () => {
  const before = await restingPixels(page, PLACES.canvas);
  await press(page, '?');
  await looksOtherwise(PLACES.canvas, before);
  await press(page, 'Escape');
  await looksAs(PLACES.canvas, before);
  await click(page, PLACES.help);
  await page.mouse.move(...NOWHERE);
  await looksOtherwise(PLACES.canvas, before);
  await press(page, 'Escape');
  await looksAs(PLACES.canvas, before);
});

test('wheel and drag move the canvas, F fits it again', async () => {
  const before = await page.evaluate(() => attentionLab.cellArea('inputs', 0, 0));
  await page.mouse.move(400, 100); // an empty place
  await page.mouse.wheel(0, -300);
  await settle(page);
  const zoomed = await page.evaluate(() => attentionLab.cellArea('W_query', 0, 0));
  assert.ok(zoomed.width > before.width * 1.1, `${zoomed.width} is wider than ${before.width}`);
  await page.mouse.down();
  await page.mouse.move(420, 130, { steps: 5 });
  await page.mouse.up();
  await settle(page);
  const moved = await page.evaluate(() => attentionLab.cellArea('W_query', 0, 0));
  assert.ok(Math.abs(moved.x - zoomed.x - 20) < 0.5 && Math.abs(moved.y - zoomed.y - 30) < 0.5, JSON.stringify([zoomed, moved]));
  await press(page, 'f');
  await settle(page);
  assert.deepEqual(await page.evaluate(() => attentionLab.cellArea('inputs', 0, 0)), before);
});
