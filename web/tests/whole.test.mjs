// Heads, groups, masks painted by hand, decoding and gradients, by mouse and keyboard; every number is held against what a
// person would compute from the others.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { settle, startBrowser } from './browser.mjs';
import { clickCell, hoverCell, cellArea, explanation, click, press, session, until }
  from './person.mjs';
import { evaluate } from './native.mjs';

// In a window of 1280 × 800, with the preset trainable.
const MORE = [41, 754];
const HEADS = [41, 608]; // once More is open
const HEADS_OPENED = [41, 546];
const CACHE = [41, 672];
const HEAD_MORE = [93, 589];
const KEYS_AND_VALUES = [100, 685]; // once there are heads to share them
const FOR_GROUPS = [100, 548]; // in the opened list
const ONE_FOR_ALL = [100, 613];
const NEXT_WORD = [100, 635];

let browser, page;
before(async () => {
  browser = await startBrowser();
  page = await browser.open();
  await settle(page);
});
after(() => browser?.close());

const tensor = (name) => page.evaluate((wanted) => {
  const { shape, data } = attentionLab.tensor(wanted);
  return { shape, cells: [...data] };
}, name);
const attention = async () => JSON.parse(await session(page)).attention;
const startAfresh = async () => {
  await page.evaluate(() => attentionLab.loadPreset('trainable'));
  await settle(page);
};
const product = (row, matrix, n_cols, col) => row.reduce((sum, x, k) => sum + x * matrix[k * n_cols + col], 0);

async function addThreeHeads() {
  await click(page, MORE);
  await settle(page);
  await click(page, HEADS);
  await settle(page);
  for (let heads = 2; heads <= 4; ++heads) {
    await click(page, HEAD_MORE);
    await until(`there are ${heads} heads`, async () => ((await attention()).n_heads ?? 1) === heads);
    await settle(page);
  }
}

test('one head becomes four, then two share keys; another head is shown and all stand side by side', async () => {
  await addThreeHeads();
  const queries = await tensor('queries');
  assert.deepEqual(queries.shape, [4, 6, 2]);
  const inputs = await tensor('inputs');
  const weights = await tensor('W_query');
  assert.deepEqual(weights.shape, [3, 8]);
  // Head 3 (from 1), token 2: its own two columns of W_query.
  const expected = product(inputs.cells.slice(3, 6), weights.cells, 8, 2 * 2 + 1);
  assert.ok(Math.abs(queries.cells[2 * 12 + 1 * 2 + 1] - expected) < 1e-5);
  await press(page, 'h');
  await settle(page);
  assert.match(await page.evaluate(() => attentionLab.status() + attentionLab.explanation()), /head 2|attention_weights/);
  await press(page, 'g');
  await settle(page);
  for (let head = 0; head < 4; ++head) {
    const area = await page.evaluate((h) => attentionLab.cellArea('attention_weights', 1, 2, h), head);
    assert.ok(area, `head ${head + 1} is seen`);
  }
  await press(page, 'g');
});

// What the page holds is what the command line computes from the same session.
async function agreesWithCommandLine(names) {
  const expected = evaluate('-', await session(page));
  for (const name of names) {
    const { cells } = await tensor(name);
    const flat = expected[name].flat(Infinity);
    assert.equal(cells.length, flat.length, name);
    cells.forEach((cell, i) => assert.ok(Math.abs(cell - flat[i]) <= 1e-6 * (1 + Math.abs(flat[i])), `${name} ${i}`));
  }
}
const CONTEXTS = ['keys', 'values', 'attention_weights', 'context_vectors'];

const has = async (name) => (await page.evaluate(() => attentionLab.tensorNames())).includes(name);

// A page of its own with More and Heads open, and four heads.
async function openFourHeads() {
  page = await browser.open();
  await settle(page);
  await addThreeHeads();
}

async function chooseGroups(choice, n) {
  await click(page, KEYS_AND_VALUES);
  await settle(page);
  await click(page, choice);
  await until(`there are ${n} groups`, async () => (await attention()).n_kv_heads === n);
  await settle(page);
}

test('four heads share the keys of two groups, then of one, with the numbers of the command line', async () => {
  await openFourHeads();
  for (const [choice, n] of [[FOR_GROUPS, 2], [ONE_FOR_ALL, 1]]) {
    await chooseGroups(choice, n);
    assert.deepEqual((await tensor('keys')).shape, [n, 6, 2]);
    assert.deepEqual((await tensor('attention_weights')).shape, [4, 6, 6]);
    await agreesWithCommandLine(CONTEXTS);
  }
  assert.deepEqual(page.problems, []);
});

test('decoding a token at a time keeps keys and values, with the numbers of the command line', async () => {
  await openFourHeads();
  await chooseGroups(FOR_GROUPS, 2);
  const keys = (await tensor('keys')).cells;
  await click(page, HEADS_OPENED); // closes them
  await settle(page);
  await click(page, CACHE);
  await settle(page);
  await click(page, NEXT_WORD);
  await page.keyboard.type('step');
  await press(page, 'Enter');
  await until('a token was decoded', () => has('present_keys'));
  await settle(page);
  const present = await tensor('present_keys');
  assert.deepEqual(present.shape, [2, 7, 2]);
  for (const group of [0, 1])
    assert.deepEqual(present.cells.slice(14 * group, 14 * group + 12), keys.slice(12 * group, 12 * group + 12));
  assert.deepEqual((await tensor('attention_weights')).shape, [4, 1, 7]);
  await agreesWithCommandLine(['present_keys', 'present_values', 'attention_weights', 'context_vectors']);
  await page.keyboard.type('down'); // the field has kept the keyboard: d and n are no shortcuts
  await press(page, 'Enter');
  await until('another token was decoded', async () => (await tensor('present_keys')).shape[1] === 8);
  const longer = await tensor('present_keys');
  for (const group of [0, 1])
    assert.deepEqual(longer.cells.slice(16 * group, 16 * group + 14), present.cells.slice(14 * group, 14 * group + 14));
  await agreesWithCommandLine(['present_keys', 'present_values', 'attention_weights', 'context_vectors']);
  await settle(page);
  await press(page, 'Escape'); // leaves the field
  await settle(page);
  assert.deepEqual(page.problems, []);
});

test('a press on weights forbids their keys while the mask is painted; undo takes each back', async () => {
  await startAfresh();
  await press(page, 'm');
  await settle(page);
  for (const key of [1, 2, 3]) {
    await clickCell(page, 'attention_weights', 1, key);
    await until(`key ${key} gets nothing`, async () => (await tensor('attention_weights')).cells[6 + key] === 0);
  }
  const weights = (await tensor('attention_weights')).cells.slice(6, 12);
  const scores = (await tensor('scaled_scores')).cells.slice(6, 12);
  const powers = [0, 4, 5].map((j) => Math.exp(scores[j]));
  assert.ok(Math.abs(weights[5] - powers[2] / (powers[0] + powers[1] + powers[2])) < 1e-6);
  await press(page, 'm', 'Control+z', 'Control+z', 'Control+z');
  await until('every key has a weight again', async () =>
    (await tensor('attention_weights')).cells.slice(6, 12).every((weight) => weight > 0));
});

test('D shows the gradient of the pinned number, which is the slope that one sees, and why it is so', async () => {
  await startAfresh();
  await clickCell(page, 'context_vectors', 4, 1);
  await press(page, 'd');
  await until('there is a gradient', async () => (await page.evaluate(() => attentionLab.tensorNames()))
    .includes('grad.W_query'));
  await settle(page);
  const slope = (await tensor('grad.W_query')).cells[2 * 2 + 1];
  const at = (added) => page.evaluate((by) => {
    const { data } = attentionLab.tensor('W_query');
    attentionLab.set('W_query', 2, 1, data[5] + by);
    const value = attentionLab.tensor('context_vectors').data[4 * 2 + 1];
    attentionLab.undo();
    return value;
  }, added);
  const seen = ((await at(0.05)) - (await at(-0.05))) / 0.1;
  assert.ok(Math.abs(slope - seen) < 1e-4, `${slope} and ${seen}`);
  await settle(page);
  const area = await cellArea(page, 'grad.inputs', 0, 0);
  assert.ok(area, 'gradients stand in the place of the numbers');
  await hoverCell(page, 'grad.W_query', 2, 1);
  assert.match(await explanation(page), /^grad\.W_query/);
  await press(page, 'd');
  await settle(page);
  await clickCell(page, 'context_vectors', 4, 1);
  await until('the numbers are back', async () => cellArea(page, 'inputs', 0, 0));
});

test('nothing was said in the console', () => assert.deepEqual(page.problems, []));
