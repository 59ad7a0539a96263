// Which of the page's programs runs, and how it gets here: the one with threads where the browser lets threads share memory
// (the page is isolated from other origins) and has a processor for more than one; else, and where that one does not start,
// the one without. Only what is used is downloaded.
const PLAIN = { name: 'attention_lab', factory: 'createAttentionLab', size: 'bytes' };
const THREADED = { name: 'attention_lab_threads', factory: 'createAttentionLabWithThreads', size: 'bytesWithThreads' };
const MOST_THREADS = 4; // as ThreadPool::sensible_n_threads
const MOST_ASKED_FOR = 16;

// The single file carries the program, the one without threads, in itself.
export const embeddedProgram = () => document.getElementById('program');

// "?threads=N" asks for a number, 1 for the program without.
export function countThreads() {
  const asked = Number(new URLSearchParams(window.location.search).get('threads'));
  if (Number.isInteger(asked) && asked >= 1) return Math.min(asked, MOST_ASKED_FOR);
  return Math.min(navigator.hardwareConcurrency || 1, MOST_THREADS);
}

const sharesMemory = () => window.crossOriginIsolated === true && typeof SharedArrayBuffer === 'function';

// The bar's maximum is the program's size, written into index.html when it was built: a compressed answer's own
// Content-Length would not fit the bytes that arrive.
async function readAll({ body }, progress) {
  const parts = [];
  let received = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    progress.value = received += value.length;
  }
  return new Blob(parts).arrayBuffer();
}

// Compiled while it arrives; at the end where the browser cannot, or the server calls it by another type than WebAssembly's.
async function download({ name, size }, progress) {
  const response = await fetch(`${name}.wasm`);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  progress.max = Number(progress.dataset[size]);
  const bytes = readAll(response.clone(), progress);
  const compileMeanwhile = async () => WebAssembly.compileStreaming(response);
  return compileMeanwhile().catch(async () => WebAssembly.compile(await bytes));
}

const loadGlue = ({ name }) => new Promise((done, fail) => {
  const script = document.createElement('script');
  script.src = `${name}.js`;
  script.onload = done;
  script.onerror = () => fail(new Error(`${script.src} is not to be had`));
  document.head.append(script);
});

async function startProgram(program, options, progress) {
  const [module] = await Promise.all([download(program, progress), loadGlue(program)]);
  return new Promise((done, fail) => {
    const instantiateWasm = (imports, receive) => {
      WebAssembly.instantiate(module, imports).then((instance) => receive(instance, module), fail);
      return {}; // it comes later
    };
    window[program.factory]({ ...options, instantiateWasm }).then(done, fail);
  });
}

// Resolves to the program's calls; its pool has that many threads, the page's own among them.
export async function loadProgram(options, progress) {
  const embedded = embeddedProgram();
  if (embedded) {
    const wasmBinary = Uint8Array.from(atob(embedded.textContent), (letter) => letter.charCodeAt(0));
    return { lab: await window[PLAIN.factory]({ ...options, wasmBinary }), nThreads: 1 };
  }
  const nThreads = countThreads();
  if (nThreads > 1 && sharesMemory()) {
    try {
      return { lab: await startProgram(THREADED, options, progress), nThreads };
    } catch (error) {
      console.info(`Attention Lab goes on without threads: ${error?.message ?? error}`);
    }
  }
  return { lab: await startProgram(PLAIN, options, progress), nThreads: 1 };
}
