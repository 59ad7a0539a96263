// attentionLab.bench: what `attention-lab bench --json` prints, measured in this page.
const WARM_UP_ms = 300; // the browser replaces its first, slow code meanwhile
const START_ms = 5000; // no longer is waited for workers to come up
const REPEAT_ms = 20; // clocks of pages tick in tenths of a millisecond
const BATCH_ms = 5; // passes between two pauses of the warm-up

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const pause = () => new Promise((done) => setTimeout(done));

export function createBenchmark({ lab, strings }) {
  // Passes from here, so that each is a call of its own.
  function run_us(n_passes) {
    const before = performance.now();
    for (let i = 0; i < n_passes; ++i) lab._lab_bench_run();
    return (performance.now() - before) * 1000;
  }

  // Workers come up while the page rests.
  async function startThreads() {
    const begin = performance.now();
    while (lab._lab_bench_threads_running() < lab._lab_bench_threads() && performance.now() - begin < START_ms) await pause();
  }

  // Milliseconds a pass takes when the browser's fast code has come: of a batch that the clock can tell, without the pauses.
  async function warmUp() {
    const begin = performance.now();
    for (let n_batches = 1, n_passes = 1; ; ++n_batches) {
      const batch_ms = run_us(n_passes) / 1000;
      const isLong = batch_ms >= BATCH_ms;
      if (isLong && n_batches >= 3 && performance.now() - begin >= WARM_UP_ms) return batch_ms / n_passes;
      if (!isLong) n_passes *= 2;
      await pause();
    }
  }

  return async function bench({ n, d_in, d_k, n_heads = 1, threads = 1, repeats = 25 }) {
    const sentence = strings.read(lab._lab_bench_begin(n, d_in, d_k, n_heads, threads));
    if (sentence) throw new Error(sentence);
    try {
      await startThreads();
      const pass_ms = await warmUp();
      const n_passes = Math.max(1, Math.ceil(REPEAT_ms / pass_ms));
      const us = [];
      for (let i = 0; i < repeats; ++i) {
        us.push(run_us(n_passes) / n_passes);
        await pause();
      }
      const us_median = median(us);
      return {
        case: [n, d_in, d_k, ...(n_heads > 1 ? [n_heads] : [])].join('x'),
        threads: lab._lab_bench_threads_running(),
        repeats,
        us_min: Math.min(...us),
        us_median,
        gflops_median: lab._lab_bench_operations() / us_median / 1000,
      };
    } finally {
      lab._lab_bench_end();
    }
  };
}
