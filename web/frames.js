// When frames are drawn: only after something asked for one. An idle page draws nothing, and nothing runs between frames but
// what did not fit into them.
const MOST_FRAMES_AT_ONCE = 8;
const MOST_WHILE_COMPUTING = 3; // when every frame wants another: enough for what opens to have opened

// Sizes of the canvas: points as CSS counts, pixels as the screen has them, as near as rounding comes.
export function roundedSize(canvas) {
  const { width, height } = canvas.getBoundingClientRect();
  const ratio = window.devicePixelRatio;
  return { width, height, width_px: Math.round(width * ratio), height_px: Math.round(height * ratio) };
}

// The same exactly.
function createCanvasSize(canvas, onChange) {
  let exact = null; // in pixels, where the browser tells; rounding the product is wrong by one at times
  const observer = new ResizeObserver(([entry]) => {
    const box = entry.devicePixelContentBoxSize?.[0];
    exact = box && { width: box.inlineSize, height: box.blockSize, ratio: window.devicePixelRatio };
    onChange();
  });
  try {
    observer.observe(canvas, { box: 'device-pixel-content-box' });
  } catch {
    observer.observe(canvas);
  }
  return () => {
    let { width, height, width_px, height_px } = roundedSize(canvas);
    const isFresh =
      exact?.ratio === window.devicePixelRatio && Math.abs(exact.width - width_px) <= 1 && Math.abs(exact.height - height_px) <= 1;
    if (isFresh) ({ width: width_px, height: height_px } = exact);
    return { width, height, width_px: Math.max(width_px, 1), height_px: Math.max(height_px, 1) };
  };
}

export function createFrames(lab, canvas) {
  let pending = 0;
  let works = false;
  let isPaused = false; // there is nothing to draw on
  const afterFrame = [];
  // A message to oneself: input and frames come in between, and unlike a timer it has no least time.
  const { port1: next, port2: later } = new MessageChannel();

  function goOn(hasWork) {
    works = hasWork;
    if (works) later.postMessage(null);
  }
  next.onmessage = () => goOn(lab._lab_work());

  function draw() {
    if (isPaused) return false;
    const { width, height, width_px, height_px } = size();
    const again = lab._lab_frame(Math.max(width, 1), Math.max(height, 1), width_px, height_px);
    for (const call of afterFrame) call();
    if (!works) goOn(lab._lab_has_work());
    return again;
  }

  function schedule() {
    pending ||= requestAnimationFrame(() => {
      pending = 0;
      if (draw()) schedule();
    });
  }

  // Something happened: draw until nothing is left to settle.
  function request() {
    lab._lab_ask_for_frames();
    schedule();
  }

  // The same at once, inside an event: what may open only there (keyboard, clipboard) must be known there.
  function settle() {
    lab._lab_ask_for_frames();
    const most = lab._lab_progress() < 1 ? MOST_WHILE_COMPUTING : MOST_FRAMES_AT_ONCE;
    for (let i = 0; i < most; ++i) if (!draw()) return;
    schedule();
  }

  // What waits to be drawn is drawn now, for who asks what the picture shows.
  function finish() {
    if (pending) settle();
  }

  function pause() {
    isPaused = true;
  }

  function resume() {
    isPaused = false;
    request();
  }

  // A media query for one ratio tells when it is left, so it is asked anew each time.
  function watchPixelRatio() {
    const query = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    query.addEventListener('change', () => (request(), watchPixelRatio()), { once: true });
  }

  const size = createCanvasSize(canvas, request);
  watchPixelRatio();
  return { request, settle, finish, pause, resume, afterFrame };
}
