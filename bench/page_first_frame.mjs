// What the page's program weighs, and how soon after navigation its first frame is drawn, for several builds of the page in
// turn: least and median. Prints a table in Markdown; judges nothing.
//   node bench/page_first_frame.mjs [--rounds N] [--megabits N --latency MS] NAME=SITE[?QUERY]…
//   node bench/page_first_frame.mjs 'before=/tmp/old/site' 'one thread=build/web/site?threads=1' 'threads=build/web/site?threads=2'
//
// SITE is a folder build/web/site of some commit. Every visit is a newcomer's, nothing cached; --megabits and --latency stand for
// a line, over which the files come uncompressed.
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { startBrowser } from '../web/tests/browser.mjs';
import { serve } from '../web/serve.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '9' }, megabits: { type: 'string' }, latency: { type: 'string', default: '0' } },
});
const builds = positionals.map((text) => {
  const [, name, site, query] = text.match(/^([^=]+)=([^?]+)(\?.*)?$/);
  return { name, site, query: query ?? '', times_ms: [], files: new Set() };
});

const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const kilobytes = (bytes) => (bytes / 1000).toFixed(1);

// The page says itself when its first frame is drawn, by its own clock, which starts with the navigation.
const noteFirstFrame = () => {
  let api;
  Object.defineProperty(window, 'attentionLab', {
    get: () => api,
    set(given) {
      api = given;
      api.ready.then(() => (window.firstFrame_ms = performance.now()));
    },
  });
};

async function visit(browser, build) {
  const beforehand = async (page) => {
    page.on('request', (request) => build.files.add(new URL(request.url()).pathname.slice(1) || 'index.html'));
    await page.addInitScript(noteFirstFrame);
    page.setDefaultNavigationTimeout(0); // a machine may be slow
    if (!values.megabits) return;
    const client = await page.context().newCDPSession(page);
    const bytesPerSecond = (Number(values.megabits) * 1e6) / 8;
    await client.send('Network.enable');
    await client.send('Network.emulateNetworkConditions',
      { offline: false, latency: Number(values.latency), downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond });
  };
  const page = await browser.open({ url: build.url + build.query, beforehand });
  build.times_ms.push(await page.evaluate(() => window.firstFrame_ms));
  await page.context().close();
}

function weigh(build) {
  const files = [...build.files].filter((name) => existsSync(`${build.site}/${name}`));
  const bytes = files.map((name) => readFileSync(`${build.site}/${name}`));
  const brotli = (file) => brotliCompressSync(file,
    { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } });
  const sum = (pack) => kilobytes(bytes.reduce((total, file) => total + pack(file).length, 0));
  return [sum((file) => file), sum((file) => gzipSync(file, { level: 9 })), sum(brotli)];
}

const browser = await startBrowser();
const servers = [];
try {
  for (const build of builds) {
    servers.push(await serve({ root: build.site, port: 0 }));
    build.url = servers.at(-1).url;
  }
  for (const build of builds) await visit(browser, build); // not counted
  for (const build of builds) build.times_ms = [];
  for (let round = 0; round < Number(values.rounds); ++round)
    for (const build of round % 2 ? [...builds].reverse() : builds) await visit(browser, build);
} finally {
  await browser.close();
  for (const server of servers) await server.close();
}
console.log('| build | raw kB | gzip kB | brotli kB | first frame, median ms | least ms |\n| --- | --- | --- | --- | --- | --- |');
for (const build of builds) {
  const times = sorted(build.times_ms);
  const first = [times[Math.floor(times.length / 2)], times[0]].map((ms) => ms.toFixed(0));
  console.log(`| ${[build.name, ...weigh(build), ...first].join(' | ')} |`);
}
