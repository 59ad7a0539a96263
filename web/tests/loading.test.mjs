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

test('a browser that cannot compile while it loads compiles at the end', async () => {
  const forget = (page) => page.addInitScript(() => { delete WebAssembly.compileStreaming; });
  const page = await browser.open({ beforehand: forget });
  assert.deepEqual(await page.evaluate(() => attentionLab.tensor('attention_weights').shape), [6, 6]);
  assert.deepEqual(page.problems, []);
});

// With a context, another size waits for the graphics processor: the canvas is given its own before, and others only afterwards.
const noteSizes = () => {
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (...given) {
    if (this.id === 'canvas') window.sizesSet ??= [];
    return getContext.apply(this, given);
  };
  for (const side of ['width', 'height']) {
    const own = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, side);
    const set = function (length) {
      if (this.id === 'canvas' && length !== own.get.call(this)) window.sizesSet?.push([side, length]);
      own.set.call(this, length);
    };
    Object.defineProperty(HTMLCanvasElement.prototype, side, { ...own, set });
  }
};
for (const deviceScaleFactor of [1, 1.5, 2]) {
  test(`at ${deviceScaleFactor} pixels a point the canvas has one size, and after the window's change one other`, async () => {
    const page = await browser.open({ deviceScaleFactor, beforehand: (page) => page.addInitScript(noteSizes) });
    await settle(page);
    assert.deepEqual(await page.evaluate(() => window.sizesSet), []);
    await page.setViewportSize({ width: 1000, height: 600 });
    await settle(page);
    assert.deepEqual(await page.evaluate(() => window.sizesSet.slice(-2)),
      [['width', 1000 * deviceScaleFactor], ['height', 600 * deviceScaleFactor]]);
    const times = await page.evaluate(() => window.sizesSet.length);
    assert.ok(times <= 4, `${times} sizes were set`); // the browser may tell of each side by itself
  });
}

test('the context is the one that the program asks for', async () => {
  const page = await browser.open();
  const has = await page.evaluate(() => document.getElementById('canvas').getContext('webgl2').getContextAttributes());
  for (const part of ['alpha', 'depth', 'stencil', 'antialias']) assert.equal(has[part], false, part);
});

test('what is told first is what is missing, not what failed because of it', async () => {
  const sentence = Object.keys(MISSING)[1];
  const both = async (page) => {
    await MISSING[sentence](page);
    await page.route('**/*.wasm', (route) => route.fulfill({ status: 404, body: '' }));
  };
  await assert.rejects(browser.open({ beforehand: both }), (error) => error.message.includes(sentence));
  const page = browser.contexts().at(-1).pages()[0];
  await page.waitForTimeout(500);
  assert.equal(await page.innerText('#message'), sentence);
});

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
    assert.equal(await browser.contexts().at(-1).pages()[0].innerText('#message'), sentence);
  });
}
