// The page's numbers are those of the program built for this machine, to the bit: each product and sum is rounded once where
// the processor can, by relaxed instructions in the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startBrowser } from './browser.mjs';
import { evaluate } from './native.mjs';
import { drawnSession } from './sessions.mjs';

let browser;
before(async () => { browser = await startBrowser(); });
after(async () => { await browser?.close(); });

const sizes = (shape) => shape.join(' × ');

test('large products have the bits of the native program, with threads and without', async () => {
  const session = drawnSession(130, 65, { mask: 'causal' }, 0.2);
  const expected = evaluate('-', session);
  for (const threads of [1, 2]) {
    const page = await browser.open({ url: `${browser.url}?threads=${threads}` });
    await page.evaluate((text) => attentionLab.load(text), session);
    for (const name of ['queries', 'keys', 'attention_scores', 'attention_weights', 'context_vectors']) {
      const { shape, cells } = await page.evaluate((of) => {
        const { shape: dims, data } = attentionLab.tensor(of);
        return { shape: dims, cells: [...data] };
      }, name);
      const native = expected[name].flat(Infinity).map(Math.fround);
      const at = cells.findIndex((cell, i) => !Object.is(cell, native[i]));
      assert.equal(cells.length, native.length, `${name}: ${sizes(shape)}`);
      assert.equal(at, -1, `${name}, ${threads} threads, number ${at}: ${cells[at]} in the page, ${native[at]} natively`);
    }
    assert.deepEqual(page.problems, []);
  }
});
