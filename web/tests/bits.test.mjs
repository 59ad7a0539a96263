// The page's numbers are those of the program built for this machine, to the bit: each product and sum is rounded once where
// the processor can, by relaxed instructions in the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { settle, startBrowser } from './browser.mjs';
import { evaluate } from './native.mjs';
import { drawnSession } from './sessions.mjs';

let browser;
before(async () => { browser = await startBrowser(); });
after(async () => { await browser?.close(); });

// The first number that differs; numbers of a tensor that the native program has as nested lists.
async function differences(page, session) {
  const expected = evaluate('-', session);
  const found = [];
  for (const name of ['queries', 'keys', 'attention_scores', 'attention_weights', 'context_vectors']) {
    const cells = await page.evaluate((of) => [...attentionLab.tensor(of).data], name);
    const native = expected[name].flat(Infinity).map(Math.fround);
    assert.equal(cells.length, native.length, name);
    const at = cells.findIndex((cell, i) => !Object.is(cell, native[i]));
    if (at >= 0) found.push(`${name}, number ${at}: ${cells[at]} in the page, ${native[at]} natively`);
  }
  return found;
}

// Of so many dimensions that scores are summed in order natively, too: by pairs, where that is the faster, they have other bits
// (engine/kernels/product.h). Of 520 tokens there is work for a second thread, which comes up when the page rests; then all is computed again.
for (const threads of [1, 2]) {
  test(`large products have the bits of the native program, on ${threads} of the page's threads`, async () => {
    const page = await browser.open({ url: `${browser.url}?threads=${threads}` });
    await page.evaluate((text) => attentionLab.load(text), drawnSession(520, 129, { mask: 'causal' }, 0.2));
    await settle(page);
    assert.equal(page.workers().length, threads - 1);
    await page.evaluate(() => attentionLab.set('W_key', 3, 5, 0.75));
    assert.deepEqual(await differences(page, await page.evaluate(() => attentionLab.session())), []);
    assert.deepEqual(page.problems, []);
  });
}
