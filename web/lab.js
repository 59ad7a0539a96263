// Loads the program, gives it a canvas and events, and offers window.attentionLab to the page around it.
import { createFrames } from './frames.js';
import { createHost } from './host.js';
import { listenForInput } from './input.js';
import { createInterface } from './interface.js';
import { prepareIsolation } from './isolation.js';
import { loadProgram } from './program.js';
import { createStrings } from './strings.js';

const element = (id) => document.getElementById(id);

function fail(sentence) {
  element('progress').hidden = true;
  element('message').textContent = sentence;
  element('loading').hidden = false;
  throw new Error(sentence);
}

async function start() {
  const canvas = element('canvas');
  if (typeof WebAssembly !== 'object')
    fail('This browser has no WebAssembly, which Attention Lab is compiled to; any browser since 2018 has.');
  if (!document.createElement('canvas').getContext('webgl2'))
    fail('This browser offers no WebGL 2, which Attention Lab draws with; it may be switched off in its settings.');
  const host = createHost();
  const { lab, nThreads } = await loadProgram({ canvas, host }, element('progress'))
    .catch((error) => fail(`Attention Lab could not be loaded: ${error.message}.`));
  if (!lab._lab_start(host.isMac, nThreads)) fail('WebGL 2 is there but would not start; another tab may be using it up.');
  const strings = createStrings(lab);
  const frames = createFrames(lab, canvas);
  listenForInput({ lab, strings, frames, host, canvas });
  frames.settle();
  element('loading').hidden = true;
  canvas.focus({ preventScroll: true });
  prepareIsolation();
  return createInterface({ lab, strings, frames, canvas });
}

const api = { ready: start().then((calls) => void Object.assign(api, calls)) };
api.ready.catch((error) => console.error(error));
window.attentionLab = api;
