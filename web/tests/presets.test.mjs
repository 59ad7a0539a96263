// The presets, opened by hand from the list: each comes to what it says it comes to, and to the command line's bits.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { settle, startBrowser } from './browser.mjs';
import { evaluate } from './native.mjs';
import { click, PLACES, until } from './person.mjs';
import { drawnSession } from './sessions.mjs';

const FOLDER = fileURLToPath(new URL('../../engine/presets/', import.meta.url));
const read = (name) => JSON.parse(readFileSync(FOLDER + name, 'utf8'));

let browser, page;
before(async () => {
  browser = await startBrowser();
  page = await browser.open();
  await settle(page);
});
after(() => browser?.close());

const tensors = () => page.evaluate(() => Object.fromEntries(attentionLab.tensorNames().map((name) => {
  const { shape, data } = attentionLab.tensor(name);
  return [name, { shape, data: [...data] }];
})));

// Object.is tells −0 from 0.
function assertSameBits(shown, native, what) {
  assert.deepEqual(Object.keys(shown).sort(), Object.keys(native).sort());
  for (const [tensor, lists] of Object.entries(native)) {
    assert.deepEqual(shown[tensor].shape, shapeOf(lists), `${what}: ${tensor}`);
    lists.flat(2).map(float).forEach((cell, i) =>
      assert.ok(Object.is(shown[tensor].data[i], cell), `${what}: ${tensor} cell ${i} differs`));
  }
}

const shapeOf = (lists) => (Array.isArray(lists) ? [lists.length, ...shapeOf(lists[0])] : []);
const float = (cell) => Math.fround(typeof cell === 'string' ? Number(cell.replace('inf', 'Infinity')) : cell);

test('every preset that there is stands in the list', async () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.session.json'));
  const names = await page.evaluate(() => attentionLab.presets());
  assert.equal(names.length, 20);
  assert.deepEqual(names.map((name) => `${name}.session.json`).sort(), files.sort());
});

for (let index = 0; index < 20; ++index) {
  test(`preset ${index + 1} opens by mouse and comes to its numbers`, async () => {
    const name = (await page.evaluate(() => attentionLab.presets()))[index];
    const { title } = read(`${name}.session.json`);
    await click(page, PLACES.session);
    await settle(page);
    await click(page, PLACES.preset(index));
    await until(`${name} is open`, async () => (await page.title()).startsWith(title));
    assert.equal(JSON.parse(await page.evaluate(() => attentionLab.session())).title, title);
    const shown = await tensors();

    const { expected } = read(`${name}.expected.json`);
    for (const [tensor, lists] of Object.entries(expected)) {
      assert.ok(shown[tensor], `${name} has ${tensor}`);
      assert.deepEqual(shown[tensor].shape, shapeOf(lists), `${name}: ${tensor}`);
      lists.flat(2).map(float).forEach((number, i) => {
        const cell = shown[tensor].data[i];
        const isNear = number === -Infinity ? cell === number : Math.abs(cell - number) <= 1e-5 * (1 + Math.abs(number));
        assert.ok(isNear, `${name}: ${tensor} cell ${i} is ${cell}, not ${number}`);
      });
    }

    assertSameBits(shown, evaluate(`preset:${name}`), name);
  });
}

for (const attention of [{ mask: 'causal', scale: 0.3 }, { normalization: 'naive_softmax', round_weights: 3 },
  { normalization: 'sum', mask: 'sliding_window', window: 5 }]) {
  const settings = JSON.stringify(attention);
  test(`drawn matrices under ${settings} come to the command line's bits`, async () => {
    // Products of up to 32,768 multiplications have the same bits on every machine.
    const text = drawnSession(36, 24, attention);
    await page.evaluate((session) => attentionLab.load(session), text);
    assertSameBits(await tensors(), evaluate('-', text), settings);
  });
}

test('larger drawn matrices come near to the command line, which may round once where the page rounds twice', async () => {
  const text = drawnSession(100, 32, { mask: 'causal' });
  await page.evaluate((session) => attentionLab.load(session), text);
  const shown = await tensors();
  for (const [name, lists] of Object.entries(evaluate('-', text))) {
    lists.flat(2).map(float).forEach((number, i) => {
      const cell = shown[name].data[i];
      const isNear = number === -Infinity ? cell === number : Math.abs(cell - number) <= 2e-5 * (1 + Math.abs(number));
      assert.ok(isNear, `${name} cell ${i} is ${cell}, not ${number}`);
    });
  }
});

test('nothing was said in the console', () => assert.deepEqual(page.problems, []));
