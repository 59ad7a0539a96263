// Ours in Chromium, by attentionLab.bench() of the page as it was built. The same arguments and the same line as the peers.
import { existsSync } from 'node:fs';
import { importOrLeaveOut, leaveOut, readArguments } from './peers/host.mjs';

const { benchmark, threads, repeats } = readArguments();
const { n, d_in, d_k, n_heads } = benchmark;
const { SITE, startBrowser } = await importOrLeaveOut('../../web/tests/browser.mjs');
if (!existsSync(`${SITE}/index.html`)) leaveOut('the page is not built (preset web)');

const browser = await startBrowser();
try {
  const page = await browser.open({ url: `${browser.url}?threads=${threads}` });
  if (!(await page.evaluate(() => typeof attentionLab.bench === 'function'))) leaveOut('the page has no bench()');
  const given = { n, d_in, d_k, n_heads, threads, repeats };
  const line = await page.evaluate((options) => attentionLab.bench(options), given);
  if (line.threads !== threads) throw new Error(`${threads} threads were asked for but the page has ${line.threads}`);
  const version = `Attention Lab in Chromium ${page.context().browser().version()}`;
  console.log(JSON.stringify({ ...line, version }));
} finally {
  await browser.close();
}
