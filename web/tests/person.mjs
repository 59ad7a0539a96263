// What a person does on the page, with mouse and keyboard, and what they see there. Works with Playwright's pages and,
// where no picture is taken, with Puppeteer's.
import assert from 'node:assert/strict';

// Slow machines are waited for; what never comes fails.
const LIMIT_ms = 60_000;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// The first true answer of `condition`.
export async function until(what, condition) {
  for (const end = Date.now() + LIMIT_ms; Date.now() < end; await pause(50)) {
    const answer = await condition();
    if (answer) return answer;
  }
  assert.fail(`waited ${LIMIT_ms / 1000} s in vain until ${what}`);
}

// Where things stand in a window of 1280 × 800.
export const PLACES = {
  session: [310, 24],
  rename: [300, 93], // in the opened list, and
  preset: (index) => [330, 132 + 30 * index + 23 * [8, 14, 17].filter((first) => index >= first).length], // with headings
  save: [1141, 24],
  theme: [1185, 24],
  help: [1229, 24],
  nextStep: [153, 74],
  previousStep: [133, 74],
  mask: [100, 547],
  causal: [69, 280], // in the opened list
  thirdChip: [155, 655],
  inspector: { x: 1009, y: 48, width: 271, height: 724 },
  canvas: { x: 196, y: 48, width: 812, height: 724 },
  statusBar: { x: 0, y: 773, width: 1280, height: 27 },
};

// --- What is there ---------------------------------------------------------------------------------------------------

export const status = (page) => page.evaluate(() => attentionLab.status());
export const explanation = (page) => page.evaluate(() => attentionLab.explanation());
export const session = (page) => page.evaluate(() => attentionLab.session());

export async function value(page, name, row, col) {
  const { shape, cells } = await page.evaluate((tensor) => {
    const { shape, data } = attentionLab.tensor(tensor);
    return { shape, cells: [...data] };
  }, name);
  return cells[row * shape[1] + col];
}

// Every tensor's shape and bits.
export const bits = (page) => page.evaluate(() => Object.fromEntries(attentionLab.tensorNames().map((name) => {
  const { shape, data } = attentionLab.tensor(name);
  return [name, `${shape}: ${new Uint32Array(data.buffer)}`];
})));

export const cellArea = (page, name, row, col) =>
  until(`${name}[${row}, ${col}] is seen`,
    () => page.evaluate((...cell) => attentionLab.cellArea(...cell[0]), [name, row, col]));

export async function middleOf(page, name, row, col) {
  const { x, y, width, height } = await cellArea(page, name, row, col);
  return [x + width / 2, y + height / 2];
}

// The pixels of a matrix without its frame, as the bytes of a picture.
export async function matrixPixels(page, name) {
  const [n_rows, n_cols] = await page.evaluate((tensor) => attentionLab.tensor(tensor).shape, name);
  const first = await cellArea(page, name, 0, 0);
  const last = await cellArea(page, name, n_rows - 1, n_cols - 1);
  const clip = { x: first.x, y: first.y, width: last.x + last.width - first.x, height: last.y + last.height - first.y };
  return pixels(page, clip);
}

export const pixels = (page, clip) => page.screenshot({ clip });

// Once the picture has come to rest.
export async function restingPixels(page, clip) {
  let before = await pixels(page, clip);
  return until('the picture rests', async () => {
    await pause(300);
    const now = await pixels(page, clip);
    const rests = now.equals(before);
    before = now;
    return rests && now;
  });
}

// --- What is done -----------------------------------------------------------------------------------------------------

// Slowly enough for what lights up under the mouse.
export async function click(page, [x, y]) {
  await page.mouse.move(x, y);
  await drawn(page);
  await page.mouse.click(x, y);
  await drawn(page);
}

// Some of the browser's frames from now: what was asked for is on the screen.
export const drawn = (page) => page.evaluate(
  () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));

export const clickCell = async (page, name, row, col) => click(page, await middleOf(page, name, row, col));

export async function hoverCell(page, name, row, col) {
  const [x, y] = await middleOf(page, name, row, col);
  await page.mouse.move(x, y);
  await drawn(page);
}

// One key after the other, each drawn before the next.
export async function press(page, ...keys) {
  for (const key of keys) {
    await page.keyboard.press(key);
    await drawn(page);
  }
}

export async function typeNumber(page, text) {
  await press(page, ...text);
}

export async function dragCell(page, name, row, col, [by_x, by_y]) {
  const [x, y] = await middleOf(page, name, row, col);
  await page.mouse.move(x, y);
  await drawn(page);
  await page.mouse.down();
  for (let step = 1; step <= 8; ++step) {
    await page.mouse.move(x + (by_x * step) / 8, y + (by_y * step) / 8);
    await drawn(page);
  }
  await page.mouse.up();
  await drawn(page);
}

// As if a file were let go over the page. content: text or bytes
export const dropFile = (page, name, content) => dropFiles(page, [[name, content]]);

// Several at once, as [name, content].
export const dropFiles = (page, files) => page.evaluate((all) => {
  const dataTransfer = new DataTransfer();
  for (const [name, bytes] of all)
    dataTransfer.items.add(new File([new Uint8Array(bytes)], name, { type: 'application/json' }));
  const target = document.getElementById('canvas');
  for (const kind of ['dragenter', 'dragover', 'drop'])
    target.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
}, files.map(([name, content]) => [name, [...Buffer.from(content)]]));
