// While a long text is computed, nothing that a hand does is lost.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { settle, startBrowser } from './browser.mjs';
import { ACTS, EXPECTED, written } from './busy_hand.mjs';
import { until } from './person.mjs';
import { drawnSession } from './sessions.mjs';

let browser;
before(async () => (browser = await startBrowser()));
after(() => browser?.close());

const complete = (page) =>
  until('the text is computed', async () => (await page.evaluate(() => attentionLab.progress())) === 1);
// While `keepsBusy` is set, every event of the hand finds the text in computing: scores, weights and contexts follow anew from a
// cell that changes with it. Kept is how far they were then.
const listenForHand = (page) => page.evaluate(() => {
  window.progressAtEvents = [];
  const restart = () => {
    if (!window.keepsBusy) return;
    attentionLab.set('W_key', 0, 0, 0.1 * (progressAtEvents.length % 7));
    progressAtEvents.push(attentionLab.progress());
  };
  for (const name of ['wheel', 'pointermove', 'pointerdown', 'keydown']) window.addEventListener(name, restart, true);
});
const keepBusy = (page, isBusy) => page.evaluate((value) => { window.keepsBusy = value; }, isBusy);

// What came of every act, each done while the text was computed, or when all was.
async function outcomeOfActs(page, isComputing) {
  const outcome = {};
  for (const [name, { before, act, after }] of Object.entries(ACTS)) {
    const state = await before?.(page);
    await complete(page);
    await keepBusy(page, isComputing);
    await act(page, state);
    await keepBusy(page, false);
    await settle(page);
    outcome[name] = await after?.(page, state);
  }
  await complete(page);
  return { ...outcome, ...(await written(page)) };
}

const at = (matrix, [i, j]) => matrix[i][j];
const isNear = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

test('scrolled, dragged and typed while a long text is computed, all arrives as on a page at rest', async () => {
  const session = drawnSession(2048, 64, {}, 0.2);
  const page = await browser.open({ url: `${browser.url}?threads=1` });
  await listenForHand(page);
  const outcomes = [];
  for (const isComputing of [true, false]) {
    await page.evaluate((text) => attentionLab.load(text), session);
    outcomes.push(await outcomeOfActs(page, isComputing));
  }
  const progress = await page.evaluate(() => window.progressAtEvents);
  assert.ok(progress.length > 40 && Math.max(...progress) < 0.9, `it computes at each of ${progress.length} events`);
  const [busy, rested] = outcomes;
  assert.ok(isDeepStrictEqual(busy, rested), 'the same as on a page at rest');
  isNear(busy.zoom.zoomedBy, EXPECTED.zoomedBy, 1e-4);
  isNear(busy.pan.pannedBy, EXPECTED.pannedBy, 1e-2);
  const { typed, dragged } = EXPECTED;
  const expected = JSON.parse(session).tensors.W_query;
  isNear(at(busy.W_query, dragged.cell), at(expected, dragged.cell) + dragged.by, 1e-6);
  assert.equal(at(busy.W_query, typed.cell), typed.value);
  const others = expected.flatMap((row, i) => row.map((number, j) => ({ cell: [i, j], number })))
    .filter(({ cell, number }) => Math.fround(at(busy.W_query, cell)) !== Math.fround(number))
    .map(({ cell }) => `${cell}`);
  assert.deepEqual(others, [`${typed.cell}`, `${dragged.cell}`], 'no other cells are changed');
  assert.equal(busy.title, EXPECTED.title);
  assert.deepEqual(page.problems, []);
});
