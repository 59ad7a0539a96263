// How the page comes to its first picture: what it asks for, in which order, and what it says where something is missing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { settle, startBrowser } from './browser.mjs';

let browser;
before(async () => { browser = await startBrowser(); });
after(() => browser?.close());

const file = (url) => new URL(url).pathname.slice(1) || 'index.html';

test('the program is asked for as soon as one script is there', async () => {
  const page = await browser.open({ url: `${browser.url}?threads=1` });
  const files = page.requests.map(file);
  const before = files.slice(0, files.indexOf('attention_lab.wasm')).filter((name) => name !== 'favicon.svg');
  assert.deepEqual(before.sort(), ['index.html', 'lab.js', 'style.css']);
});

test('a program that the server calls by another type is compiled at the end', async () => {
  const called = async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), 'content-type': 'application/octet-stream' } });
  };
  const page = await browser.open({ beforehand: (page) => page.route('**/*.wasm', called) });
  await settle(page);
  assert.equal(await page.isVisible('#loading'), false);
  assert.deepEqual(await page.evaluate(() => attentionLab.tensor('attention_weights').shape), [6, 6]);
  assert.deepEqual(page.problems, []);
});

// The canvas begins as large as it stays, so that no context has to begin anew.
for (const deviceScaleFactor of [1, 2]) {
  test(`at ${deviceScaleFactor} pixels a point the first context has the canvas's size`, async () => {
    const noteSize = () => {
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function (...given) {
        if (this.id === 'canvas') window.firstSize ??= [this.width, this.height];
        return getContext.apply(this, given);
      };
    };
    const page = await browser.open({ deviceScaleFactor, beforehand: (page) => page.addInitScript(noteSize) });
    await settle(page);
    const sizes = await page.evaluate(() => {
      const { width, height } = document.getElementById('canvas');
      return { first: window.firstSize, now: [width, height] };
    });
    assert.deepEqual(sizes.first, sizes.now);
    assert.deepEqual(sizes.now, [1280 * deviceScaleFactor, 800 * deviceScaleFactor]);
  });
}

const MISSING = {
  'This browser has no WebAssembly, which Attention Lab is compiled to; any browser since 2018 has.':
    (page) => page.addInitScript(() => { delete window.WebAssembly; }),
  'This browser offers no WebGL 2, which Attention Lab draws with; it may be switched off in its settings.':
    (page) => page.addInitScript(() => {
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function (kind, ...given) {
        return kind === 'webgl2' ? null : getContext.call(this, kind, ...given);
      };
    }),
  'Attention Lab could not be loaded: the server answered 404.':
    (page) => page.route('**/*.wasm', (route) => route.fulfill({ status: 404, body: '' })),
};
for (const [sentence, take] of Object.entries(MISSING)) {
  test(`the page says: ${sentence}`, async () => {
    await assert.rejects(browser.open({ beforehand: take }), (error) => error.message.includes(sentence));
    const [context] = browser.contexts().slice(-1);
    assert.equal(await context.pages()[0].innerText('#message'), sentence);
  });
}
