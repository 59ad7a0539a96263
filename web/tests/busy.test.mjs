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

const progress = (page) => page.evaluate(() => attentionLab.progress());
const complete = (page) => until('the text is computed', async () => (await progress(page)) === 1);
// Scores, weights and contexts follow from it anew; how far they are at once afterwards.
const restart = (page, value) => page.evaluate((cell) => {
  attentionLab.set('W_key', 0, 0, cell);
  return attentionLab.progress();
}, value);

// What came of every act, each begun while much was still to be computed, or when all was.
async function outcomeOfActs(page, isComputing) {
  const outcome = {};
  for (const [name, { before, act, after }] of Object.entries(ACTS)) {
    const state = await before?.(page);
    if (isComputing) {
      const begun = await restart(page, 0.1 * Object.keys(outcome).length);
      assert.ok(begun < 0.9, `it computes before: ${name}`);
    } else {
      await complete(page);
    }
    await act(page, state);
    await settle(page);
    outcome[name] = await after?.(page, state);
  }
  await complete(page);
  return { ...outcome, ...(await written(page)) };
}

const at = (matrix, [i, j]) => matrix[i][j];
const isNear = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

test('scrolled, dragged and typed while a long text is computed, all arrives as on a page at rest', async () => {
  const session = drawnSession(1500, 64, {}, 0.2);
  const page = await browser.open({ url: `${browser.url}?threads=1` });
  const outcomes = [];
  for (const isComputing of [true, false]) {
    await page.evaluate((text) => attentionLab.load(text), session);
    outcomes.push(await outcomeOfActs(page, isComputing));
  }
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
