// What frames cost while one scrolls, drags, types and points before a long text is computed. Prints text; judges nothing. That no
// input is lost meanwhile is tested (web/tests/busy.test.mjs, the same hand).
//   node bench/page_busy.mjs [--tokens 16384] [--d 64] [--threads N]
//
// Times are C++ in a frame, and from one frame to the next, in which Chromium draws in software here.
import { parseArgs } from 'node:util';
import { settle, startBrowser } from '../web/tests/browser.mjs';
import { ACTS } from '../web/tests/busy_hand.mjs';
import { drawnSession } from '../web/tests/sessions.mjs';
import { framesOf, summary } from './recorded_frames.mjs';

const { values: options } = parseArgs({ options: {
  tokens: { type: 'string', default: '16384' }, d: { type: 'string', default: '64' }, threads: { type: 'string' } } });
const SHOWN_ms = 1500; // until what an act has brought about is drawn: an event or two in a frame
const n = Number(options.tokens), d = Number(options.d);

const browser = await startBrowser();
try {
  const page = await browser.open({ url: browser.url + (options.threads ? `?threads=${options.threads}` : '') });
  const progress = () => page.evaluate(() => attentionLab.progress());
  console.log(`${n} tokens × ${d} dimensions`);
  await page.evaluate((session) => attentionLab.load(session), drawnSession(n, d, {}, Math.sqrt(3 / d)));
  for (const [name, { before, act }] of Object.entries(ACTS)) {
    const state = await before?.(page);
    await page.evaluate((value) => attentionLab.set('W_key', 0, 0, value), Math.random());
    const progress_before = await progress();
    const frames = await framesOf(page, () => act(page, state));
    const after = await framesOf(page, () => page.waitForTimeout(SHOWN_ms));
    const computed = [progress_before, await progress()].map((share) => `${(100 * share).toFixed(0)} %`).join(' to ');
    console.log(`${name.padEnd(12)} C++ in a frame       ${summary(frames.cpp)}, ${computed} computed`);
    console.log(`${''.padEnd(12)} C++ in frames after  ${summary(after.cpp)}`);
    console.log(`${''.padEnd(12)} from frame to frame  ${summary([...frames.gaps, ...after.gaps])}`);
    await settle(page);
  }
  for (const problem of page.problems) console.log(problem);
} finally {
  await browser.close();
}
