// How many multiplications and additions per second a page can do at most, in WebAssembly's vectors: apart, and relaxed
// multiply-add. A JSON line for each.
//   node bench/page_limit.mjs [--threads T]
//
// The module is written byte by byte, since compilers of 2022 write relaxed multiply-add as it was drafted.
import { parseArgs } from 'node:util';
import { importOrLeaveOut } from './peers/host.mjs';

const N_CHAINS = 12; // as many as hide how long one operation takes, and as 16 registers hold
const LANES = 4;
const I32 = 0x7f, F32 = 0x7d, V128 = 0x7b;
const SPLAT = [0xfd, 0x13], ADD = [0xfd, 0xe4, 0x01], MULTIPLY = [0xfd, 0xe6, 0x01];
const RELAXED_MULTIPLY_ADD = [0xfd, 0x85, 0x02], FIRST_LANE = [0xfd, 0x1f, 0];
const STEPS = 0, FACTOR = 1, TERM = 2, FIRST_CHAIN = 3; // locals; the first is the parameter

const get = (local) => [0x20, local];
const set = (local) => [0x21, local];
const constant = (x) => [0x43, ...new Uint8Array(Float32Array.of(x).buffer), ...SPLAT];
const chains = Array.from({ length: N_CHAINS }, (_, i) => FIRST_CHAIN + i);

// Numbers up to 16,383, as the format writes them.
const leb = (n) => (n < 128 ? [n] : [(n & 127) | 128, n >> 7]);
const section = (id, bytes) => [id, ...leb(bytes.length), ...bytes];

// c = c · factor + term in every chain, `steps` times; returns their sum, so that nothing is left out.
function functionBody(isRelaxed) {
  const both = isRelaxed ? [...get(FACTOR), ...get(TERM), ...RELAXED_MULTIPLY_ADD]
    : [...get(FACTOR), ...MULTIPLY, ...get(TERM), ...ADD];
  const step = chains.flatMap((chain) => [...get(chain), ...both, ...set(chain)]);
  const count = [...get(STEPS), 0x41, 1, 0x6b, 0x22, STEPS, 0x0d, 0]; // steps −= 1; again unless 0
  const sum = chains.flatMap((chain, i) => (i === 0 ? get(chain) : [...get(chain), ...ADD]));
  return [
    1, N_CHAINS + 2, V128, // locals: one kind
    ...constant(0.999999), ...set(FACTOR), ...constant(1e-6), ...set(TERM),
    ...chains.flatMap((chain, i) => [...constant(1 + i), ...set(chain)]),
    0x03, 0x40, ...step, ...count, 0x0b,
    ...sum, ...FIRST_LANE, 0x0b,
  ];
}

function moduleBytes(isRelaxed) {
  const body = functionBody(isRelaxed);
  return [
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [1, 0x60, 1, I32, 1, F32]),
    ...section(3, [1, 0]),
    ...section(7, [1, 1, 'k'.charCodeAt(0), 0, 0]),
    ...section(10, [1, ...leb(body.length), ...body]),
  ];
}

// In a worker: the greatest rate of several rounds. Called often before, since a loop that runs is not optimised any more.
function answer({ data: { bytes, operationsPerStep } }) {
  const { k } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes))).exports;
  const STEPS_OF_ROUND = 2_000_000;
  for (let i = 0; i < 200; ++i) k(10_000);
  let greatest = 0;
  for (let round = 0; round < 25; ++round) {
    const begin = performance.now();
    k(STEPS_OF_ROUND);
    greatest = Math.max(greatest, (operationsPerStep * STEPS_OF_ROUND) / (performance.now() - begin) / 1e6);
  }
  postMessage(greatest);
}

// In the page: workers that begin together; the sum of what they reach.
function measureTogether({ source, task, threads }) {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const one = () => new Promise((done, fail) => {
    const worker = new Worker(url);
    worker.onmessage = ({ data }) => (worker.terminate(), done(data));
    worker.onerror = ({ message }) => fail(new Error(message));
    worker.postMessage(task);
  });
  return Promise.all(Array.from({ length: threads }, one)).then((rates) => rates.reduce((sum, rate) => sum + rate));
}

const { values } = parseArgs({ options: { threads: { type: 'string', default: '1' } } });
const threads = Number(values.threads);
const { chromium } = await importOrLeaveOut('playwright-core');
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
try {
  const page = await browser.newPage();
  for (const [of, isRelaxed] of [['multiply and add', false], ['relaxed multiply-add', true]]) {
    const task = { bytes: moduleBytes(isRelaxed), operationsPerStep: 2 * N_CHAINS * LANES };
    const rate = await page.evaluate(measureTogether, { source: `onmessage = ${answer}`, task, threads });
    console.log(JSON.stringify({ limit: 'page', of, threads, gflops_max: Number(rate.toFixed(1)) }));
  }
} finally {
  await browser.close();
}
