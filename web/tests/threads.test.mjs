// Which of the page's two programs runs, and that it makes no difference but time.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from '../serve.mjs';
import { settle, SITE, startBrowser } from './browser.mjs';
import { drawnSession } from './sessions.mjs';

const PLAIN = 'attention_lab.wasm';
const THREADED = 'attention_lab_threads.wasm';

let browser, staticHost;
before(async () => {
  browser = await startBrowser();
  staticHost = await serve({ root: SITE, port: 0, isolated: false });
});
after(async () => {
  await browser?.close();
  await staticHost?.close();
});

const programs = (page) => page.requests.filter((url) => url.endsWith('.wasm')).map((url) => url.split('/').pop());
const weights = (page) => page.evaluate(() => [...attentionLab.tensor('attention_weights').data.slice(0, 3)]);

test('an isolated page takes the program with threads and downloads no other', async () => {
  const page = await browser.open({ url: `${browser.url}?threads=2` });
  await settle(page);
  assert.deepEqual(programs(page), [THREADED]);
  assert.equal(page.requests.some((url) => url.endsWith('attention_lab.js')), false);
  assert.deepEqual(page.problems, []);
});

test('one thread needs no threads', async () => {
  const page = await browser.open({ url: `${browser.url}?threads=1` });
  assert.deepEqual(programs(page), [PLAIN]);
  assert.equal(page.requests.some((url) => url.includes('attention_lab_threads')), false);
});

// Bits, as a hash: what comes back to here would be large as text.
const bitsOfAll = (page) => page.evaluate(() => Object.fromEntries(attentionLab.tensorNames().map((name) => {
  const { shape, data } = attentionLab.tensor(name);
  let hash = 0;
  for (const word of new Uint32Array(data.buffer, data.byteOffset, data.length)) hash = (Math.imul(hash, 31) + word) | 0;
  return [name, `${shape.join(' × ')}: ${hash}`];
})));

test('two threads compute the bits of one, after edits too', async () => {
  const session = drawnSession(512, 64, { mask: 'causal' });
  const bits = [];
  for (const threads of [1, 2]) {
    const page = await browser.open({ url: `${browser.url}?threads=${threads}` });
    await page.evaluate((text) => attentionLab.load(text), session);
    await settle(page);
    assert.equal(page.workers().length, threads - 1);
    const states = [await bitsOfAll(page)];
    for (const [name, row, col] of [['inputs', 7, 3], ['W_query', 5, 60], ['W_value', 0, 0]]) {
      await page.evaluate(([tensor, i, j]) => attentionLab.set(tensor, i, j, 0.75), [name, row, col]);
      states.push(await bitsOfAll(page));
    }
    assert.ok('attention_weights' in states[0]);
    assert.notDeepEqual(states[0], states[1]);
    bits.push(states);
    assert.deepEqual(page.problems, []);
  }
  assert.deepEqual(bits[1], bits[0]);
});

test('a small document starts no worker', async () => {
  const page = await browser.open({ url: `${browser.url}?threads=2` });
  await settle(page);
  assert.equal(page.workers().length, 0);
});

// Seconds of processor that this page's process has used: the workers' as well as its own.
async function processorSeconds(client) {
  const { processInfo } = await client.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, each) => sum + each.cpuTime, 0);
}

// The share of a processor that the page's process takes in a few seconds.
async function processorShare(page, client) {
  const SPAN_s = 3;
  const before = await processorSeconds(client);
  await page.waitForTimeout(1000 * SPAN_s);
  return (await processorSeconds(client) - before) / SPAN_s;
}

// A browser goes on compiling what it runs often after all is drawn, for longer where others take the processor: so rest must
// come, not be there at once. A worker that turns instead of sleeping never rests.
test('workers at rest take no processor', async () => {
  const GREATEST_SHARE = 0.05, TRIES = 8;
  const page = await browser.open({ url: `${browser.url}?threads=3` });
  await page.evaluate((text) => attentionLab.load(text), drawnSession(512, 64));
  await settle(page);
  assert.equal(page.workers().length, 2);
  const client = await page.context().browser().newBrowserCDPSession();
  const shares = [];
  do shares.push(await processorShare(page, client)); while (shares.at(-1) >= GREATEST_SHARE && shares.length < TRIES);
  assert.ok(shares.at(-1) < GREATEST_SHARE, `of a processor, in turn: ${shares.map((share) => share.toFixed(3)).join(', ')}`);
});

test('bench runs on as many threads as it is asked for, and says so', async () => {
  const page = await browser.open({ url: `${browser.url}?threads=2` });
  for (const threads of [1, 2, 3]) {
    const line = await page.evaluate((n) => attentionLab.bench({ n: 256, d_in: 32, d_k: 32, threads: n, repeats: 2 }), threads);
    assert.equal(line.threads, threads);
    assert.ok(line.us_min > 0 && line.us_median >= line.us_min);
  }
  await assert.rejects(page.evaluate(() => attentionLab.bench({ n: 6, d_in: 3, d_k: 2, threads: 17 })),
    /bench takes at most 16 threads but got 17/);
  assert.deepEqual(page.problems, []);
});

// --- Hosts that send no headers ------------------------------------------------------------------------------------

test('without the headers the page starts without threads, at once and only once', async (t) => {
  const page = await browser.open({ url: `${staticHost.url}?threads=2` });
  await settle(page);
  assert.deepEqual(programs(page), [PLAIN]);
  assert.equal(await page.evaluate(() => window.crossOriginIsolated), false);
  await page.evaluate(() => attentionLab.set('inputs', 0, 0, 0.5));
  const edited = await weights(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForTimeout(500);
  assert.deepEqual(await weights(page), edited, 'what was edited is still there');
  assert.deepEqual(programs(page), [PLAIN]);
  assert.deepEqual(page.problems, []);

  await t.test('the next visit has threads', async () => {
    page.requests.length = 0;
    await page.reload();
    await page.evaluate(() => window.attentionLab.ready);
    assert.equal(await page.evaluate(() => window.crossOriginIsolated), true);
    assert.deepEqual(programs(page), [THREADED]);
    await page.evaluate((text) => attentionLab.load(text), drawnSession(256, 64));
    await settle(page);
    assert.equal(page.workers().length, 1);
    const line = await page.evaluate(() => attentionLab.bench({ n: 64, d_in: 8, d_k: 8, threads: 2, repeats: 2 }));
    assert.equal(line.threads, 2);
    assert.deepEqual(page.problems, []);
  });

  await t.test('other pages of the host stay as they are', async () => {
    const other = await page.context().newPage();
    const response = await other.goto(`${staticHost.url}licences.txt`);
    assert.equal(response.headers()['cross-origin-embedder-policy'], undefined);
    assert.equal(await other.evaluate(() => window.crossOriginIsolated), false);
  });
});

test('where service workers cannot be registered, nothing is said and the page stays', async () => {
  const context = { url: `${staticHost.url}?threads=2`, serviceWorkers: 'block' };
  const page = await browser.open(context);
  await page.waitForTimeout(3000);
  assert.deepEqual(programs(page), [PLAIN]);
  await page.reload();
  await page.evaluate(() => window.attentionLab.ready);
  assert.deepEqual(programs(page), [PLAIN, PLAIN]);
  assert.deepEqual(page.problems.filter((text) => !text.includes('blocked by Playwright')), []);
});

test('in a frame of another page no service worker is registered', async () => {
  const outside = `<iframe src="/?threads=2" width="800" height="600"></iframe>`;
  const context = await (await browser.open({ url: `${staticHost.url}?threads=1` })).context();
  const page = await context.newPage();
  await page.route('**/outside.html', (route) => route.fulfill({ contentType: 'text/html', body: outside }));
  await page.goto(`${staticHost.url}outside.html`);
  const frame = page.frames()[1];
  await frame.waitForFunction(() => window.attentionLab !== undefined);
  await frame.evaluate(() => window.attentionLab.ready);
  await page.waitForTimeout(3000);
  assert.equal((await page.evaluate(() => navigator.serviceWorker.getRegistrations())).length, 0);
});

// --- The program with threads does not start -----------------------------------------------------------------------

const HINDRANCES = {
  'its file is missing': (page) => page.route(`**/${THREADED}`, (route) => route.fulfill({ status: 404, body: '' })),
  'its glue is missing': (page) => page.route('**/attention_lab_threads.js', (route) => route.abort()),
  'shared memory is refused': (page) => page.addInitScript(() => {
    const Memory = WebAssembly.Memory;
    WebAssembly.Memory = function (given) {
      if (given.shared) throw new RangeError('could not allocate memory');
      return new Memory(given);
    };
  }),
};
for (const [hindrance, hinder] of Object.entries(HINDRANCES)) {
  test(`where ${hindrance}, the page starts without threads`, async () => {
    const page = await browser.open({ url: `${browser.url}?threads=2`, beforehand: hinder });
    await settle(page);
    assert.equal(programs(page).at(-1), PLAIN);
    assert.equal(await page.isVisible('#loading'), false);
    assert.equal((await weights(page)).length, 3);
  });
}

test('where workers do not come up, the page computes by itself', async () => {
  const beforehand = (page) => page.route('**/attention_lab_threads.worker.js', (route) => route.abort());
  const page = await browser.open({ url: `${browser.url}?threads=2`, beforehand });
  await page.evaluate((text) => attentionLab.load(text), drawnSession(512, 64));
  await settle(page);
  assert.deepEqual(programs(page), [THREADED]);
  assert.equal((await weights(page)).length, 3);
});
