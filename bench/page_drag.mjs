// What frames cost while a hand drags a number of each matrix of a long text, whatever is computed by then: C++ in a frame, and from
// one frame to the next, in which Chromium draws in software here. Prints text; judges nothing.
//   node bench/page_drag.mjs [--tokens 16384] [--d 64] [--threads N]
import { parseArgs } from 'node:util';
import { settle, startBrowser } from '../web/tests/browser.mjs';
import { cellArea, middleOf, value } from '../web/tests/person.mjs';
import { drawnSession } from '../web/tests/sessions.mjs';
import { framesOf, summary } from './recorded_frames.mjs';

const { values: options } = parseArgs({ options: {
  tokens: { type: 'string', default: '16384' }, d: { type: 'string', default: '64' }, threads: { type: 'string' } } });
const n = Number(options.tokens), d = Number(options.d);
const READABLE_pt = 30; // wide; smaller cells are moved about instead of changed
const N_STEPS = 60, STEP_ms = 30, STEP_pt = 2;

const browser = await startBrowser();
try {
  const page = await browser.open({ url: browser.url + (options.threads ? `?threads=${options.threads}` : '') });
  console.log(`${n} tokens × ${d} dimensions`);
  await page.evaluate((session) => attentionLab.load(session), drawnSession(n, d, {}, Math.sqrt(3 / d)));
  for (const name of ['inputs', 'W_query', 'W_key', 'W_value']) {
    await settle(page);
    await page.keyboard.press('f');
    await settle(page);
    const cell = name === 'inputs' ? [3, 3] : [d / 2, d / 2];
    while ((await cellArea(page, name, ...cell)).width < READABLE_pt) {
      await page.mouse.move(...(await middleOf(page, name, ...cell)));
      await page.mouse.wheel(0, -150);
      await settle(page);
    }
    const [x, y] = await middleOf(page, name, ...cell);
    const before = await value(page, name, ...cell);
    await page.mouse.move(x, y);
    await page.mouse.down();
    const frames = await framesOf(page, async () => {
      for (let i = 1; i <= N_STEPS; ++i) {
        await page.mouse.move(x + STEP_pt * i, y);
        await page.waitForTimeout(STEP_ms);
      }
    });
    await page.mouse.up();
    await settle(page);
    const after = await value(page, name, ...cell);
    console.log(`${name.padEnd(12)} ${before.toFixed(3)} to ${after.toFixed(3)}`);
    console.log(`${''.padEnd(12)} C++ in a frame       ${summary(frames.cpp)}`);
    console.log(`${''.padEnd(12)} from frame to frame  ${summary(frames.gaps)}`);
  }
  for (const problem of page.problems) console.log(problem);
} finally {
  await browser.close();
}
