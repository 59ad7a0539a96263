// What an edit costs in the page: one cell of inputs, or of the tensor that is named, is set, what follows from it computed, and the
// first frame made that shows it (what is too much for a frame comes in the next ones and is not counted). Prints text; judges nothing.
//   node bench/page_edit.mjs [--threads 1] [--edits 60] [--tensor W_query] [--drawing] [--gradient]
//
// Chromium draws in software here, on the processors that the page runs on. As a graphics card would not, it is left out: what
// the page asks to be drawn is not, unless --drawing says so. With --gradient that of a number of context_vectors follows, too.
import { parseArgs } from 'node:util';
import { startBrowser } from '../web/tests/browser.mjs';
import { drawnSession } from '../web/tests/sessions.mjs';
import { quantile } from './quantile.mjs';

const { values: given } = parseArgs({ options: {
  threads: { type: 'string', default: '1' }, edits: { type: 'string', default: '60' }, drawing: { type: 'boolean', default: false },
  gradient: { type: 'boolean', default: false }, tensor: { type: 'string', default: 'inputs' },
} });
const REST_ms = 60; // between edits, so that the browser is done with the last

const ONE_HEAD = [128, 256, 512, 1024, 2048, 4096].map((n_tokens) => ({ n_tokens, d: 64, n_heads: 1 }));
const TWELVE_HEADS = { n_tokens: 1024, d: 768, n_heads: 12 };

async function measure(browser, { n_tokens, d, n_heads }) {
  const page = await browser.open({ url: `${browser.url}?threads=${given.threads}` });
  if (!given.drawing) {
    await page.evaluate(() => {
      WebGL2RenderingContext.prototype.drawElements = WebGL2RenderingContext.prototype.clear = () => {};
    });
  }
  const settings = n_heads > 1 ? { n_heads } : {};
  const target = n_heads > 1 ? 'context_vectors[0,0,0]' : 'context_vectors[0,0]';
  const text = drawnSession(n_tokens, d, settings, Math.sqrt(3 / d), given.gradient ? target : undefined);
  await page.evaluate((session) => attentionLab.load(session), text);
  await page.waitForFunction(() => attentionLab.progress() === 1);
  await page.waitForTimeout(1000);
  const edits = await page.evaluate(async ([n_edits, rest_ms, tensor]) => {
    const times = [];
    for (let i = 0; i < n_edits; ++i) {
      const begin = performance.now();
      attentionLab.set(tensor, 5, 7, 0.2 + 0.01 * (i % 60));
      const engine = performance.now() - begin;
      const n_before = attentionLab.frames();
      while (attentionLab.frames() === n_before) await new Promise(requestAnimationFrame);
      times.push({ engine, frame: attentionLab.frameMicroseconds() / 1000 });
      while (attentionLab.progress() < 1) await new Promise(requestAnimationFrame);
      await new Promise((done) => setTimeout(done, rest_ms));
    }
    return times;
  }, [Number(given.edits), REST_ms, given.tensor]);
  await page.close();
  return edits.slice(edits.length / 3); // by then the browser has compiled what runs often
}

// Of y ~ n^p, by least squares of the logarithms.
function exponent(points) {
  const logarithms = points.map(([n, y]) => [Math.log(n), Math.log(y)]);
  const mean = (k) => logarithms.reduce((sum, point) => sum + point[k], 0) / points.length;
  const [x0, y0] = [mean(0), mean(1)];
  const sum = (f) => logarithms.reduce((total, [x, y]) => total + f(x - x0, y - y0), 0);
  return sum((x, y) => x * y) / sum((x) => x * x);
}

const browser = await startBrowser();
try {
  const medians = [];
  for (const size of [...ONE_HEAD, TWELVE_HEADS]) {
    const edits = await measure(browser, size);
    const told = (key) => {
      const ms = edits.map((edit) => (key === 'both' ? edit.engine + edit.frame : edit[key]));
      return `${quantile(ms, 0.5).toFixed(1)} (least ${quantile(ms, 0).toFixed(1)}, 95 % ${quantile(ms, 0.95).toFixed(1)})`;
    };
    const name = `${size.n_tokens} × ${size.d}${size.n_heads > 1 ? `, ${size.n_heads} heads` : ''}`;
    console.log(`${name.padEnd(22)} C++ in ms: ${told('both')}; engine ${told('engine')}; frame ${told('frame')}`);
    if (size.n_heads === 1) medians.push([size.n_tokens, quantile(edits.map((edit) => edit.engine + edit.frame), 0.5)]);
  }
  const long = medians.filter(([n]) => n >= 1024);
  console.log(`grows as n^${exponent(medians).toFixed(2)}, from 1,024 tokens on as n^${exponent(long).toFixed(2)}`);
} finally {
  await browser.close();
}
