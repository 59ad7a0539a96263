// How the page's bench() measures, on a clock that ticks coarsely, as pages' do.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { createBenchmark } from '../benchmark.js';

const PAUSE_ms = 4;

// The benchmark of a program whose pass lasts so long, and how many passes each repeat but the first has, which no pause parts from the
// warm-up.
async function measured({ pass_ms, tick_ms, repeats }) {
  let now_ms = 0;
  const batches = [0];
  const lab = {
    _lab_bench_begin: () => 0,
    _lab_bench_threads: () => 1,
    _lab_bench_threads_running: () => 1,
    _lab_bench_operations: () => 1000,
    _lab_bench_end: () => {},
    _lab_bench_run: () => {
      now_ms += pass_ms;
      ++batches[batches.length - 1];
    },
  };
  mock.method(performance, 'now', () => Math.floor(now_ms / tick_ms) * tick_ms);
  mock.method(globalThis, 'setTimeout', (then) => {
    now_ms += PAUSE_ms;
    batches.push(0);
    queueMicrotask(then);
  });
  try {
    const line = await createBenchmark({ lab, strings: { read: () => '' } })({ n: 6, d_in: 3, d_k: 2, repeats });
    return { line, passesOfRepeats: batches.slice(-repeats, -1) };
  } finally {
    mock.restoreAll();
  }
}

test('a repeat of the quickest pass lasts long enough for the clock, pauses left out', async () => {
  for (const tick_ms of [0.005, 0.1, 1]) {
    const { line, passesOfRepeats } = await measured({ pass_ms: 0.0005, tick_ms, repeats: 5 });
    for (const n of passesOfRepeats) assert.ok(n * 0.0005 >= 15 && n * 0.0005 <= 30, `${n} passes, tick ${tick_ms}`);
    assert.ok(Math.abs(line.us_min - 0.5) < 0.04 && Math.abs(line.us_median - 0.5) < 0.04, JSON.stringify(line));
  }
});

test('a pass that is longer than a repeat is a repeat', async () => {
  const { line, passesOfRepeats } = await measured({ pass_ms: 50, tick_ms: 0.1, repeats: 3 });
  assert.deepEqual(passesOfRepeats, [1, 1]);
  assert.ok(Math.abs(line.us_median - 50_000) < 200);
});
