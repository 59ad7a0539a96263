// Loads the program, gives it a canvas and events, and offers window.attentionLab to the page around it.
import { createFrames, roundedSize } from './frames.js';
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

// What the program asks for (app/graphics.cpp), which then takes the context that the canvas has: made while it is on its way.
const CONTEXT = { alpha: false, depth: false, stencil: false, antialias: false };

const SOON_ms = 500; // after the first picture, what it did without is made for the next

// Returns how large it is in points.
function fitToPage(canvas) {
  const { width, height, width_px, height_px } = roundedSize(canvas);
  canvas.width = Math.max(width_px, 1);
  canvas.height = Math.max(height_px, 1);
  return { width: Math.max(Math.round(width), 1), height: Math.max(Math.round(height), 1) };
}

async function start() {
  const canvas = element('canvas');
  if (typeof WebAssembly !== 'object')
    fail('This browser has no WebAssembly, which Attention Lab is compiled to; any browser since 2018 has.');
  const host = createHost(canvas);
  const loading = loadProgram({ canvas, host }, element('progress'));
  loading.catch(() => {}); // said below, if nothing else is to be said
  const { width, height } = fitToPage(canvas);
  const context = canvas.getContext('webgl2', CONTEXT);
  if (!context)
    fail('This browser offers no WebGL 2, which Attention Lab draws with; it may be switched off in its settings.');
  const { lab, nThreads } = await loading
    .catch((error) => fail(`Attention Lab could not be loaded: ${error.message}.`));
  if (context.isContextLost())
    fail('The browser took WebGL 2 away while Attention Lab was loading; it may be there again when the page is loaded anew.');
  if (!lab._lab_start(host.isMac, nThreads, width, height))
    fail('WebGL 2 is there but would not start; another tab may be using it up.');
  const strings = createStrings(lab);
  const frames = createFrames(lab, canvas);
  listenForInput({ lab, strings, frames, host, canvas });
  frames.settle();
  element('loading').hidden = true;
  canvas.focus({ preventScroll: true });
  prepareIsolation();
  setTimeout(() => lab._lab_prepare_graphics(), SOON_ms);
  return createInterface({ lab, strings, frames, canvas });
}

const api = { ready: start().then((calls) => void Object.assign(api, calls)) };
api.ready.catch((error) => console.error(error));
window.attentionLab = api;
