// Large matrices as pictures: the graphics card colours numbers, each point the greatest of its cells or their mean.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { settle, startBrowser } from './browser.mjs';
import { cellArea, hoverCell, press, status } from './person.mjs';
import { drawnSession } from './sessions.mjs';

const N = 1024;
const DARK = { background: [21, 23, 28], low: [37, 41, 50], zero: [37, 41, 50], high: [52, 190, 165] };

let browser, page;
before(async () => {
  browser = await startBrowser();
  page = await browser.open({ colorScheme: 'dark' });
});
afterEach(() => assert.deepEqual(page.problems, []));
after(() => browser?.close());

const load = async (attention) => {
  await page.evaluate((text) => attentionLab.load(text), drawnSession(N, 8, attention));
  await page.mouse.move(850, 24);
  await settle(page);
};

// The picture of a rectangle: pixel(x, y) is [r, g, b].
async function picture(clip, of = page) {
  const bytes = [...await of.screenshot({ clip })];
  const { width, data } = await page.evaluate(async (png) => {
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(png)]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    return { width: bitmap.width, data: [...context.getImageData(0, 0, bitmap.width, bitmap.height).data] };
  }, bytes);
  return (x, y) => data.slice(4 * (y * width + x), 4 * (y * width + x) + 3);
}

// Where the map stands, and the points of it.
async function map(name) {
  const first = await cellArea(page, name, 0, 0), last = await cellArea(page, name, N - 1, N - 1);
  const left = Math.ceil(first.x), top = Math.ceil(first.y);
  const pitch = { x: (last.x - first.x) / (N - 1), y: (last.y - first.y) / (N - 1) };
  const clip = { x: left, y: top, width: Math.floor(last.x) - left, height: Math.floor(last.y) - top };
  const level = (along) => Math.max(0, Math.ceil(Math.log2(1 / along) - 1e-3));
  return { first, pitch, clip, high: 2 ** level(pitch.y), wide: 2 ** level(pitch.x), at: await picture(clip) };
}

const distance = (a, b) => Math.max(...a.map((each, i) => Math.abs(each - b[i])));

// Pixels in the middle of a point, with the greatest and the mean of the cells that it stands for: some, or all of them.
const SOME = { margin: 12, rows: 7, cols: 5 }, ALL = { margin: 0, rows: 1, cols: 1 };
async function points(name, { at, first, pitch, clip, high, wide }, which = SOME) {
  const { data } = await page.evaluate((tensor) => {
    const { data } = attentionLab.tensor(tensor);
    return { data: [...data] };
  }, name);
  const found = [];
  for (let row = which.margin; row < N / high - which.margin / 4; row += which.rows) {
    for (let col = which.margin; col < N / wide - which.margin / 4; col += which.cols) {
      const x = first.x + (col + 0.5) * wide * pitch.x - clip.x, y = first.y + (row + 0.5) * high * pitch.y - clip.y;
      let greatest = -Infinity, sum = 0;
      for (let i = row * high; i < (row + 1) * high; ++i) {
        for (let j = col * wide; j < (col + 1) * wide; ++j) {
          greatest = Math.max(greatest, data[i * N + j]);
          sum += data[i * N + j];
        }
      }
      found.push({ row, col, greatest, mean: sum / (high * wide), color: at(Math.floor(x), Math.floor(y)) });
    }
  }
  return found;
}

// A straight line in OKLab (Ottosson 2020).
const dot = (matrix, v) => matrix.map((row) => row.reduce((sum, each, i) => sum + each * v[i], 0));
const linear = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
const encoded = (v) => 255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055);
const toOklab = (color) => dot([[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766]],
dot([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005]], color.map(linear)).map(Math.cbrt));
const toColor = (lab) => dot([[4.0767416621, -3.3077115913, 0.2309699292], [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701]],
dot([[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728], [1, -0.0894841775, -1.291485548]], lab)
  .map((v) => v ** 3)).map(encoded);

// Where a weight stands between the colours: they end at 64 typical weights, one of which a power brings to 0.3.
function placeOf(weight, most, typical) {
  const end = Math.min(most, 64 * typical), part = typical / end;
  return Math.min(weight / end, 1) ** (part < 0.3 ? Math.log(0.3) / Math.log(part) : 1);
}

function weightColor(weight, most, typical = 1 / N) {
  const part = placeOf(weight, most, typical);
  const low = toOklab(DARK.low), high = toOklab(DARK.high);
  return toColor(low.map((each, i) => each + part * (high[i] - each))); // whichever query is chosen
}

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

// What is typical of the greatest: usually the least of a row of points, so that colours also reach what is usually its greatest.
function typicalOf(points) {
  const rows = [];
  for (const { row, greatest } of points) (rows[row] ??= []).push(greatest);
  const usual = (end) => median(rows.map((row) => end(...row)));
  return Math.max(1 / N, usual(Math.min), usual(Math.max) / 64);
}

test('each point of a large map has the colour of the greatest of its cells', async () => {
  await load({});
  const shown = await map('attention_weights');
  assert.ok(shown.high > 1, 'several cells in a point');
  const found = await points('attention_weights', shown);
  assert.ok(found.length > 100);
  const most = await page.evaluate(() => attentionLab.tensor('attention_weights').data.reduce((a, b) => Math.max(a, b)));
  const typical = typicalOf(await points('attention_weights', shown, ALL));
  for (const { row, col, greatest, color } of found) {
    const expected = weightColor(greatest, most, typical);
    assert.ok(distance(color, expected) <= 3, `point ${row}, ${col}: ${color} for ${expected}`);
  }
  const colors = new Set(found.map((each) => String(each.color)));
  assert.ok(colors.size > 10, `${colors.size} colours`);
});

// On the scale of single cells they would all be as good as 0.
test('the colours of means span the means', async () => {
  const before = page;
  page = await browser.open({ colorScheme: 'dark',
    beforehand: (opened) => opened.addInitScript(() => localStorage.setItem('attention-lab.reduction', 'mean')) });
  try {
    await load({});
    const shown = await map('attention_weights');
    const found = await points('attention_weights', shown, ALL);
    const most = found.reduce((greatest, { mean }) => Math.max(greatest, mean), 0);
    for (const { row, col, mean, color } of await points('attention_weights', shown)) {
      const expected = weightColor(mean, most);
      assert.ok(distance(color, expected) <= 3, `point ${row}, ${col}: ${color} for ${expected}`);
    }
  } finally {
    await page.context().close();
    page = before;
  }
});

test('hovering a point names the cell whose number its colour is, exactly, and says so', async () => {
  await hoverCell(page, 'attention_weights', 600, 300);
  const text = await status(page);
  const [, row, col, number] = /^attention_weights\[token (\d+), token (\d+)\] = ([0-9.]+)/.exec(text);
  const exact = await page.evaluate(([i, j, n]) => attentionLab.tensor('attention_weights').data[i * n + j], [row - 1, col - 1, N]);
  assert.equal(number, exact < 0.001 ? exact.toFixed(exact < 0.0001 ? 7 : 6) : exact.toFixed(4));
  const [, high, wide] = /, greatest of the (\d+) × (\d+) cells here$/.exec(text);
  const others = await page.evaluate(([row, col, high, wide, n]) => {
    const { data } = attentionLab.tensor('attention_weights');
    const first = [row - row % high, col - col % wide];
    return Array.from({ length: high * wide }, (_, i) => data[(first[0] + Math.floor(i / wide)) * n + first[1] + i % wide]);
  }, [row - 1, col - 1, +high, +wide, N]);
  assert.equal(Math.max(...others), exact);
});

test('a double click on small cells zooms in until their numbers can be read', async () => {
  await press(page, 'f');
  await settle(page);
  const { x, y, width, height } = await cellArea(page, 'attention_weights', 600, 300);
  await page.mouse.dblclick(x + width / 2, y + height / 2);
  await settle(page);
  const text = await status(page);
  const [, row, col] = /^attention_weights\[token (\d+), token (\d+)\] = [0-9.]+$/.exec(text);
  const now = await cellArea(page, 'attention_weights', row - 1, col - 1);
  assert.ok(now.width > 40, `${now.width} points wide`);
  await press(page, 'f');
});

test('where all cells of a point are masked it is of one tone that no number has', async () => {
  await load({ mask: 'causal' });
  const { at, clip } = await map('attention_weights');
  const upper = new Map(); // colours of the masked half
  for (let y = 2; y < clip.height / 2 - 8; ++y) {
    for (let x = clip.width - 2; x > clip.width / 2 + 8; --x) {
      const color = String(at(x, y));
      upper.set(color, (upper.get(color) ?? 0) + 1);
    }
  }
  assert.equal(upper.size, 1, [...upper.keys()].slice(0, 5).join(' '));
  const [tone] = [...upper.keys()].map((color) => color.split(',').map(Number));
  const { background, low } = DARK;
  for (const other of [background, low]) assert.ok(distance(tone, other) > 30, `${tone} beside ${other}`);
});

// The first row is a single value, those far below are means of hundreds.
test('context vectors of a long text are not as pale as nothing', async () => {
  await load({ mask: 'causal' });
  const first = await cellArea(page, 'context_vectors', N / 2, 0), last = await cellArea(page, 'context_vectors', N - 1, 7);
  const clip = { x: Math.ceil(first.x), y: Math.ceil(first.y), width: Math.floor(last.x + last.width - first.x) - 1,
    height: Math.floor(last.y - first.y) - 3 };
  const at = await picture(clip);
  const { zero } = DARK;
  let n_seen = 0;
  for (let y = 0; y < clip.height; ++y) for (let x = 0; x < clip.width; ++x) n_seen += distance(at(x, y), zero) > 20;
  assert.ok(n_seen > 0.5 * clip.width * clip.height, `${n_seen} of ${clip.width} × ${clip.height}`);
});

const middleLeft = ({ at, clip }) => at(Math.floor(clip.width / 8), Math.floor(clip.height / 2));

test('another theme uploads no picture', async () => {
  await page.evaluate(() => {
    const kind = WebGL2RenderingContext.prototype;
    window.texels = 0;
    for (const [name, width] of [['texImage2D', 3], ['texSubImage2D', 4]]) {
      const draw = kind[name];
      kind[name] = function (...args) {
        if (args.length > 6) window.texels += args[width] * args[width + 1];
        return draw.apply(this, args);
      };
    }
  });
  const before = await map('attention_weights');
  await press(page, 't');
  await settle(page);
  const after = await map('attention_weights');
  assert.ok(distance(middleLeft(before), middleLeft(after)) > 20, 'it looks otherwise');
  assert.ok(await page.evaluate(() => window.texels) < 3000, 'but for characters, and a ramp');
  await press(page, 't');
});

test('what a lost graphics context showed is shown by the next', async () => {
  await load({});
  const before = await page.screenshot();
  await page.evaluate(async () => {
    const canvas = document.getElementById('canvas');
    const loss = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
    const event = (name) => new Promise((done) => canvas.addEventListener(name, done, { once: true }));
    const [lost, restored] = [event('webglcontextlost'), event('webglcontextrestored')];
    loss.loseContext();
    await lost;
    const note = document.getElementById('lost');
    window.noteOfLoss = note.offsetHeight > 0 ? note.innerText : 'none';
    const n_frames = attentionLab.frames();
    window.dispatchEvent(new Event('resize')); // asks for frames
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    window.framesWhileLost = attentionLab.frames() - n_frames;
    const { pixelStorei } = WebGL2RenderingContext.prototype;
    window.stored = [];
    WebGL2RenderingContext.prototype.pixelStorei = function (name, value) {
      window.stored.push([name, value]);
      pixelStorei.call(this, name, value);
    };
    setTimeout(() => loss.restoreContext()); // not within the event
    await restored;
  });
  assert.equal(await page.evaluate(() => window.framesWhileLost), 0);
  assert.match(await page.evaluate(() => window.noteOfLoss), /graphics processor.*nothing that you did is lost/s);
  await settle(page);
  assert.ok((await page.screenshot()).equals(before));
  const [alignment] = await page.evaluate(() => window.stored.filter(([name]) => name === WebGL2RenderingContext.UNPACK_ALIGNMENT));
  assert.deepEqual(alignment?.[1], 1, 'the new context is told what the lost one was');
  assert.deepEqual(page.problems, []);
});

// Within the half second after which the shader of large matrices is made.
test('a graphics context that is lost right after the first picture is neither asked nor missed', async () => {
  const fresh = await browser.open();
  try {
    await fresh.evaluate(() => {
      window.loss = document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
      window.loss.loseContext();
    });
    await fresh.waitForTimeout(1000);
    assert.deepEqual(fresh.problems, []);
    await fresh.evaluate(() => window.loss.restoreContext());
    await fresh.evaluate((text) => attentionLab.load(text), drawnSession(N, 8, {}));
    await settle(fresh);
    const { x, y } = await cellArea(fresh, 'attention_weights', 0, 0);
    const map = { x: Math.ceil(x), y: Math.ceil(y), width: 8, height: 8 };
    const color = (await picture(map, fresh))(4, 4);
    assert.notDeepEqual(color, [255, 255, 255]);
    const untouched = await browser.open();
    await untouched.evaluate((text) => attentionLab.load(text), drawnSession(N, 8, {}));
    await settle(untouched);
    assert.deepEqual(color, (await picture(map, untouched))(4, 4), 'as on a page whose context was never lost');
    await untouched.close();
    assert.deepEqual(fresh.problems, []);
  } finally {
    await fresh.close();
  }
});
