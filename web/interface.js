// window.attentionLab: the contract for tests, notebooks and pages around us. Every call takes effect before it returns,
// whether a frame is drawn or not.
import { createBenchmark } from './benchmark.js';

const BYTES_PER_NUMBER = 4;
const AREA_NUMBERS = 4; // left, top, width, height
const SHAPE_NUMBERS = 4; // the rank and at most three extents

export function createInterface({ lab, strings, frames, canvas }) {
  // The program answers with the sentence of an error, or an empty text.
  function change(answer) {
    const sentence = strings.read(answer);
    if (sentence) throw new Error(sentence);
    frames.request();
  }

  function tensor(name) {
    return strings.withBytes(new Uint8Array(SHAPE_NUMBERS * BYTES_PER_NUMBER), (shape_address) => {
      const cells = strings.withText(String(name), (address) => lab._lab_tensor(address, shape_address));
      if (!cells) throw new Error(`there is no tensor '${name}'`);
      const [rank, ...extents] = strings.copyNumbers(Int32Array, shape_address, SHAPE_NUMBERS);
      const shape = extents.slice(0, rank);
      const size = shape.reduce((product, n) => product * n, 1);
      return { shape, data: strings.copyNumbers(Float32Array, cells, size) };
    });
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
    session: () => strings.read(lab._lab_session()),
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
    // What the program's memory has grown to.
    memoryBytes: () => strings.memoryBytes(),
    bench: createBenchmark({ lab, strings }),
    cellArea,
    status: () => (frames.finish(), strings.read(lab._lab_status())),
    explanation: () => (frames.finish(), strings.read(lab._lab_explanation())),
  };
}
