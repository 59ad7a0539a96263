// What a long text costs in the page: until the first picture and until it is complete, while one pans, zooms, hovers and drags a
// number, and in memory. Prints text; judges nothing.
//   node bench/page_long_text.mjs [--tokens 16384] [--d 64] [--mask causal] [--threads N] [--size 1280x800] [--pixels 1]
//                                 [--phone] [--picture FILE.png]
// On a phone fingers pan, tap and pinch instead; its screen has three pixels a point.
//
// Chromium draws in software here, so times are those of C++ in a frame, waiting for the screen not counted.
import { parseArgs } from 'node:util';
import { startBrowser } from '../web/tests/browser.mjs';
import { drawnSession } from '../web/tests/sessions.mjs';
import { framesOf, summary } from './recorded_frames.mjs';

const { values: options } = parseArgs({ options: {
  tokens: { type: 'string', default: '16384' }, d: { type: 'string', default: '64' },
  mask: { type: 'string', default: 'none' }, threads: { type: 'string' }, size: { type: 'string', default: '1280x800' },
  pixels: { type: 'string', default: '1' }, phone: { type: 'boolean', default: false }, picture: { type: 'string' } } }); // pixels: to a point
const n = Number(options.tokens), d = Number(options.d);
const [width, height] = options.size.split('x').map(Number);
const MAP = [Math.round(width * 0.47), Math.round(height / 2)]; // a place of the canvas
const N_STEPS = 60;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, hasTouch: true, isMobile: true };

const frame = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));

// Until no frame was drawn for a while; milliseconds until the last one.
async function rest(page) {
  const start = performance.now();
  let last = start;
  for (let n_before = -1; performance.now() - last < 1500;) {
    const n_now = await page.evaluate(() => attentionLab.frames());
    if (n_now !== n_before) last = performance.now();
    n_before = n_now;
    await page.waitForTimeout(50);
  }
  return last - start;
}

async function report(page, what, act) {
  console.log(`${what.padEnd(34)} ${summary((await framesOf(page, act)).cpp)}`);
}

// C++ of edits: what follows from each, done in the call, and the frame that shows it.
async function editsOf(n) {
  const us = [];
  for (let i = 0; i < n; ++i) {
    const start = performance.now();
    attentionLab.set('inputs', 5, 7, 0.2 + 0.01 * i);
    const engine_us = 1000 * (performance.now() - start);
    const n_before = attentionLab.frames();
    while (attentionLab.frames() === n_before) await new Promise(requestAnimationFrame);
    us.push(engine_us + attentionLab.frameMicroseconds());
  }
  return us;
}

async function useByHand(page) {
  await report(page, 'hovered', async () => {
    for (let i = 0; i < N_STEPS; ++i) {
      await page.mouse.move(MAP[0] + i, MAP[1] + (i % 9));
      await frame(page);
    }
  });
  await report(page, 'zoomed in', async () => {
    await page.keyboard.down('Control');
    for (let i = 0; i < N_STEPS; ++i) {
      await page.mouse.wheel(0, -60);
      await frame(page);
    }
    await page.keyboard.up('Control');
  });
  await rest(page);
  if (options.picture) await page.screenshot({ path: options.picture.replace('.png', '-zoomed.png') });
  await report(page, 'panned', async () => {
    for (let i = 0; i < N_STEPS; ++i) {
      await page.mouse.wheel(i % 2 ? 40 : 0, 40);
      await frame(page);
    }
  });
  await report(page, 'zoomed out', async () => {
    await page.keyboard.press('f');
    await rest(page);
  });
}

async function useByFingers(page) {
  const client = await page.context().newCDPSession(page);
  const touch = (type, ...points) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await report(page, 'panned', async () => {
    await touch('touchStart', [200, 550]);
    for (let i = 1; i <= N_STEPS; ++i) {
      await touch('touchMove', [200, 550 - 6 * i]);
      await frame(page);
    }
    await touch('touchEnd');
  });
  await report(page, 'tapped', async () => {
    for (let i = 0; i < 5; ++i) {
      await page.touchscreen.tap(180 + 20 * i, 300);
      await rest(page);
    }
  });
  await report(page, 'pinched', async () => {
    await touch('touchStart', [180, 300]);
    await touch('touchStart', [180, 300], [220, 300]);
    for (let i = 1; i <= N_STEPS; ++i) {
      await touch('touchMove', [180 - 2 * i, 300], [220 + 2 * i, 300]);
      await frame(page);
    }
    await touch('touchEnd');
  });
  await rest(page);
  if (options.picture) await page.screenshot({ path: options.picture.replace('.png', '-zoomed.png') });
}

const browser = await startBrowser();
try {
  const url = browser.url + (options.threads ? `?threads=${options.threads}` : '');
  const page = await browser.open({
    url, ...(options.phone ? PHONE : { viewport: { width, height }, deviceScaleFactor: Number(options.pixels) }) });
  const before = await page.evaluate(() => attentionLab.memoryBytes());
  const text = drawnSession(n, d, { mask: options.mask }, Math.sqrt(3 / d));
  console.log(`${n} tokens × ${d} dimensions, a session of ${(text.length / 1e6).toFixed(1)} MB`);
  await report(page, 'opened and complete', async () => {
    const opened_ms = await page.evaluate((session) => {
      const start = performance.now();
      attentionLab.load(session);
      return performance.now() - start;
    }, text);
    console.log(`${'read'.padEnd(34)} ${opened_ms.toFixed(0)} ms`);
    console.log(`${'complete after'.padEnd(34)} ${(await rest(page)).toFixed(0)} ms`);
  });
  const megabytes = async () => ((await page.evaluate(() => attentionLab.memoryBytes())) / 2 ** 20).toFixed(0);
  console.log(`${'memory'.padEnd(34)} ${await megabytes()} MB, of which ${(before / 2 ** 20).toFixed(0)} before`);
  if (options.picture) await page.screenshot({ path: options.picture });
  await (options.phone ? useByFingers(page) : useByHand(page));
  const edited = await page.evaluate(editsOf, N_STEPS);
  console.log(`${'a number of inputs edited'.padEnd(34)} ${summary(edited)}`);
  console.log(`${'at rest after'.padEnd(34)} ${(await rest(page)).toFixed(0)} ms`);
  console.log(`${'memory'.padEnd(34)} ${await megabytes()} MB`);
  for (const problem of page.problems) console.log(problem);
} finally {
  await browser.close();
}
