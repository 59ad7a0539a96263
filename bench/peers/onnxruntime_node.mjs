// onnxruntime on the processor, from Node.js; scores, weights and context vectors written into tensors that are there already.
import { importOrLeaveOut, modelOf, readArguments, REPOSITORY, versionOf } from './host.mjs';
import { inputsOf, lineOf, measure_us, resultShapes } from './work.mjs';

const options = readArguments();
const { benchmark, threads, repeats } = options;
const { InferenceSession, Tensor } = await importOrLeaveOut('onnxruntime-node');

function preallocated() {
  const size = (shape) => shape.reduce((product, extent) => product * extent, 1);
  const empty = ([name, shape]) => [name, new Tensor('float32', new Float32Array(size(shape)), shape)];
  return Object.fromEntries(Object.entries(resultShapes(benchmark)).map(empty));
}

const session = await InferenceSession.create(REPOSITORY + modelOf(benchmark), {
  executionProviders: ['cpu'],
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
});
const feeds = { inputs: new Tensor('float32', inputsOf(benchmark), [benchmark.n, benchmark.d_in]) };
const fetches = preallocated();
const times = await measure_us(() => session.run(feeds, fetches), repeats);
const version = `onnxruntime-node ${versionOf('onnxruntime-node')}`;
console.log(JSON.stringify(lineOf(options, times, version, await session.run(feeds, fetches))));
