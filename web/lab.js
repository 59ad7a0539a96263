// Loads the program, gives it a canvas and events, and offers window.attentionLab to the page around it.
import { createFrames } from './frames.js';
import { createHost } from './host.js';
import { listenForInput } from './input.js';
import { createInterface } from './interface.js';
import { createStrings } from './strings.js';

const element = (id) => document.getElementById(id);

function fail(sentence) {
  element('progress').hidden = true;
  element('message').textContent = sentence;
  element('loading').hidden = false;
  throw new Error(sentence);
}

// The single file carries the program in itself.
function embeddedProgram() {
  const block = element('program');
  return block && Uint8Array.from(atob(block.textContent), (letter) => letter.charCodeAt(0));
}

// The bar's maximum is the program's size, written into index.html when it was built: a compressed answer's own
// Content-Length would not fit the bytes that arrive.
async function downloadProgram() {
  const response = await fetch('attention_lab.wasm');
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const progress = element('progress');
  const parts = [];
  let received = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    progress.value = received += value.length;
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function start() {
  const canvas = element('canvas');
  if (typeof WebAssembly !== 'object')
    fail('This browser has no WebAssembly, which Attention Lab is compiled to; any browser since 2018 has.');
  if (!document.createElement('canvas').getContext('webgl2'))
    fail('This browser offers no WebGL 2, which Attention Lab draws with; it may be switched off in its settings.');
  const wasmBinary =
    embeddedProgram() ??
    (await downloadProgram().catch((error) => fail(`Attention Lab could not be loaded: ${error.message}.`)));
  const host = createHost();
  const lab = await createAttentionLab({ canvas, wasmBinary, host });
  if (!lab._lab_start(host.isMac)) fail('WebGL 2 is there but would not start; another tab may be using it up.');
  const strings = createStrings(lab);
  const frames = createFrames(lab, canvas);
  listenForInput({ lab, strings, frames, host, canvas });
  frames.settle();
  element('loading').hidden = true;
  canvas.focus({ preventScroll: true });
  return createInterface({ lab, strings, frames, canvas });
}

const api = { ready: start().then((calls) => void Object.assign(api, calls)) };
api.ready.catch((error) => console.error(error));
window.attentionLab = api;
