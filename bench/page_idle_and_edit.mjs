// What the page costs: at rest, after an edit, and to download. Prints text; judges nothing.
//   node bench/page_idle_and_edit.mjs      after the page is built (ATTENTION_LAB_WEB_BUILD says where, if elsewhere)
//
// Chromium draws in software here, so times are those of C++ in a frame, waiting for the screen not counted.
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { settle, SITE, startBrowser } from '../web/tests/browser.mjs';
import { drawn, middleOf } from '../web/tests/person.mjs';
import { drawnSession } from '../web/tests/sessions.mjs';
import { quantile } from './quantile.mjs';
import { framesOf } from './recorded_frames.mjs';

const IDLE_s = 5;
const N_DRAGS = 300;

const summary = (us) =>
  `median ${quantile(us, 0.5).toFixed(0)} µs, least ${quantile(us, 0).toFixed(0)}, 95 % ${quantile(us, 0.95).toFixed(0)} (${us.length} times)`;

// Seconds that the page's own process, its workers among it, and the one that draws have worked.
async function processorSeconds(client) {
  const { processInfo } = await client.send('SystemInfo.getProcessInfo');
  const of = (type) => processInfo.filter((each) => each.type === type).reduce((sum, each) => sum + each.cpuTime, 0);
  return { page: of('renderer'), drawing: of('GPU') };
}

async function measureIdle(page, client) {
  await settle(page);
  const frames = () => page.evaluate(() => attentionLab.frames());
  const before = { frames: await frames(), ...(await processorSeconds(client)) };
  await page.waitForTimeout(1000 * IDLE_s);
  const after = { ...(await processorSeconds(client)), frames: await frames() };
  const share = (key) => `${((100 * (after[key] - before[key])) / IDLE_s).toFixed(1)} %`;
  console.log(`idle for ${IDLE_s} s with ${page.workers().length} workers: ${after.frames - before.frames} frames drawn; processor: page ${share('page')}, drawing ${share('drawing')}`);
}

async function measureDrags(page, [n_tokens, d], [tensor, row, col]) {
  await page.evaluate((text) => attentionLab.load(text), drawnSession(n_tokens, d));
  await settle(page);
  const [x, y] = await middleOf(page, tensor, row, col);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 8, y);
  await drawn(page);
  const { cpp, engine } = await framesOf(page, async () => {
    for (let i = 0; i < N_DRAGS; ++i) {
      await page.mouse.move(x + 20 + 10 * (i % 7), y);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    }
    await page.mouse.up();
  });
  // The engine ran in a frame if its time is another than before.
  const ofEdits = (us) => us.filter((_, i) => i > 0 && engine[i] !== engine[i - 1]);
  console.log(`\n${n_tokens} tokens × ${d} dimensions, ${tensor}[${row}, ${col}] dragged:`);
  console.log(`  engine             ${summary(ofEdits(engine))}`);
  console.log(`  C++ of that frame  ${summary(ofEdits(cpp))}`);
  console.log(`  C++ of any frame   ${summary(cpp)}`);
}

function measureDownload() {
  const brotli = (name) => brotliCompressSync(readFileSync(`${SITE}/${name}`),
    { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }).length;
  const parts = readdirSync(SITE).map((name) => ({ name, size: brotli(name) })).sort((a, b) => b.size - a.size);
  const total = parts.reduce((sum, part) => sum + part.size, 0);
  console.log(`\ndownload, brotli 11: ${(total / 1000).toFixed(1)} kB`);
  for (const { name, size } of parts) console.log(`  ${(size / 1000).toFixed(1).padStart(7)}  ${name}`);
}

const browser = await startBrowser();
try {
  const page = await browser.open();
  const client = await page.context().browser().newBrowserCDPSession();
  await measureIdle(page, client);
  await measureDrags(page, [6, 3], ['inputs', 1, 0]);
  await measureDrags(page, [64, 64], ['inputs', 5, 7]);
  await measureDrags(page, [64, 64], ['W_query', 3, 3]);
  await measureDrags(page, [256, 64], ['inputs', 5, 7]);
  await measureIdle(page, client); // now that workers are up, where there are threads
} finally {
  await browser.close();
}
measureDownload();
