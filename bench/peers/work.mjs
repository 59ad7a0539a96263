// The work that every peer does, for those in JavaScript: as work.py. Without imports, since the browser reads it too.
export const LEFT_OUT = 3;
const REPEAT_LASTS_ms = 2;
const WARM_UP_ms = 200;

export function readCase(size) {
  const [n, d_in, d_k, n_heads = 1] = size.split('x').map(Number);
  return { size, n, d_in, d_k, n_heads, width: d_k * n_heads };
}

export function operationsOf({ n, d_in, width, n_heads }) {
  const n_projections = n_heads > 1 ? 4 : 3;
  return 2 * n_projections * n * d_in * width + 4 * n * n * width;
}

// The extents of what the model of make_onnx.py gives back.
export function resultShapes({ n, d_in, d_k, n_heads }) {
  const heads = n_heads > 1 ? [n_heads] : [];
  const shapes = { scaled_scores: [...heads, n, n], attention_weights: [...heads, n, n], context_vectors: [...heads, n, d_k] };
  return n_heads > 1 ? { ...shapes, outputs: [n, d_in] } : shapes;
}

// Bit for bit the numbers of spread_numbers in work.py, seed 1.
export function inputsOf({ n, d_in }) {
  const scale = Math.fround(Math.sqrt(3));
  return Float32Array.from({ length: n * d_in }, (_, i) => {
    let x = (i + 0x9E3779B1) >>> 0;
    x ^= x >>> 16;
    x = Math.imul(x, 0x7FEB352D);
    x ^= x >>> 15;
    x = Math.imul(x, 0x846CA68B);
    x ^= x >>> 16;
    return Math.fround((x >>> 8) / 2 ** 23 - 1) * scale;
  });
}

async function meanPass_ms(run, n_passes) {
  const before = performance.now();
  for (let i = 0; i < n_passes; ++i) await run();
  return (performance.now() - before) / n_passes;
}

// Microseconds of a pass, per repeat, from the least to the greatest.
export async function measure_us(run, repeats) {
  const begin = performance.now();
  for (let n_warm = 0; n_warm < 3 || performance.now() - begin < WARM_UP_ms; ++n_warm) await run();
  const n_passes = Math.max(1, Math.round(REPEAT_LASTS_ms / (await meanPass_ms(run, 3))));
  const times = [];
  for (let i = 0; i < repeats; ++i) times.push(1000 * (await meanPass_ms(run, n_passes)));
  return times.sort((a, b) => a - b);
}

const meanSquare = (values) => values.reduce((sum, value) => sum + value * value, 0) / values.length;
const rounded = (number) => Number(number.toFixed(3));

// What a peer prints. `results`: those of the model, by name.
export function lineOf({ benchmark, threads, repeats }, times_us, version, results) {
  const median = times_us[Math.floor(times_us.length / 2)];
  const last = (results.outputs ?? results.context_vectors).data;
  return {
    case: benchmark.size, threads, repeats,
    us_min: rounded(times_us[0]), us_median: rounded(median),
    gflops_median: rounded(operationsOf(benchmark) / median / 1000),
    version, mean_square: meanSquare(last),
  };
}
