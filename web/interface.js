// window.attentionLab: the contract for tests, notebooks and pages around us. Every call takes effect before it returns,
// whether a frame is drawn or not.
import { createBenchmark } from './benchmark.js';

const BYTES_PER_NUMBER = 4;
const AREA_NUMBERS = 4; // left, top, width, height
const SHAPE_NUMBERS = 4; // the rank and at most three extents
const NUMBERS_AT_ONCE = 2 ** 20;

function roomFor(name, shape, size) {
  try {
    return new Float32Array(size);
  } catch {
    throw new Error(`${name} is ${shape.join(' × ')} but the browser has no room for a copy of its ${size} numbers`);
  }
}

export function createInterface({ lab, strings, frames, canvas }) {
  // The program answers with the sentence of an error, or an empty text.
  function change(answer) {
    const sentence = strings.read(answer);
    if (sentence) throw new Error(sentence);
    frames.request();
  }

  function shapeOf(name) {
    return strings.withBytes(new Uint8Array(SHAPE_NUMBERS * BYTES_PER_NUMBER), (shape_address) => {
      if (!strings.withText(name, (address) => lab._lab_tensor_shape(address, shape_address)))
        throw new Error(`there is no tensor '${name}'`);
      const [rank, ...extents] = strings.copyNumbers(Int32Array, shape_address, SHAPE_NUMBERS);
      return extents.slice(0, rank);
    });
  }

  // Some rows at a time, so that the program's memory need not hold a copy as well.
  function tensor(given_name) {
    const name = String(given_name);
    const shape = shapeOf(name);
    const size = shape.reduce((product, n) => product * n, 1);
    const data = roomFor(name, shape, size);
    const n_cols = shape.at(-1), n_rows = size / n_cols;
    const n_at_once = Math.max(1, Math.floor(NUMBERS_AT_ONCE / n_cols));
    for (let first = 0; first < n_rows; first += n_at_once) {
      const n = Math.min(n_at_once, n_rows - first);
      const cells = strings.withText(name, (address) => lab._lab_tensor_rows(address, first, n));
      data.set(strings.numbers(Float32Array, cells, n * n_cols), first * n_cols);
    }
    return { shape, data };
  }

  // In CSS pixels of the browser's window, as mouse events have them.
  function cellArea(name, row, col, head = 0) {
    frames.finish();
    return strings.withBytes(new Uint8Array(AREA_NUMBERS * BYTES_PER_NUMBER), (address) => {
      const isSeen = strings.withText(String(name), (text) => lab._lab_cell_area(text, row, col, head, address));
      if (!isSeen) return null;
      const [x, y, width, height] = strings.copyNumbers(Float32Array, address, AREA_NUMBERS);
      const { left, top } = canvas.getBoundingClientRect();
      return { x: left + x, y: top + y, width, height };
    });
  }

  return {
    session: () => {
      try {
        return strings.read(lab._lab_session());
      } finally {
        lab._lab_forget_session();
      }
    },
    load: (text) => change(strings.withText(String(text), (address) => lab._lab_load(address))),
    presets: () => JSON.parse(strings.read(lab._lab_presets())),
    loadPreset: (name) => change(strings.withText(String(name), (address) => lab._lab_load_preset(address))),
    tensorNames: () => JSON.parse(strings.read(lab._lab_tensor_names())),
    tensor,
    set: (name, row, col, value, head = 0) =>
      change(strings.withText(String(name), (address) => lab._lab_set(address, row, col, value, head))),
    undo() {
      const undone = Boolean(lab._lab_undo());
      frames.request();
      return undone;
    },
    redo() {
      const redone = Boolean(lab._lab_redo());
      frames.request();
      return redone;
    },
    frames: () => lab._lab_n_frames(),
    // How long C++ worked on the last frame, waiting for the screen not counted.
    frameMicroseconds: () => lab._lab_frame_us(),
    // How long the engine worked on the last change.
    engineMicroseconds: () => lab._lab_engine_us(),
    // How much of what follows from the last change is computed: 1 when it is complete.
    progress: () => lab._lab_progress(),
    // What the program's memory has grown to.
    memoryBytes: () => strings.memoryBytes(),
    // What letters and pictures take on the graphics card.
    textureBytes: () => lab._lab_texture_bytes(),
    bench: createBenchmark({ lab, strings }),
    cellArea,
    status: () => (frames.finish(), strings.read(lab._lab_status())),
    explanation: () => (frames.finish(), strings.read(lab._lab_explanation())),
  };
}
