import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { settle, startBrowser } from './browser.mjs';
import { sentenceAbout } from './native.mjs';
import { drawnSession } from './sessions.mjs';

let browser, page;
before(async () => {
  browser = await startBrowser();
  page = await browser.open();
});
after(() => browser?.close());

test('presets load by name, and their tensors have shapes and numbers', async () => {
  const names = await page.evaluate(() => attentionLab.presets());
  assert.equal(names.length, 20);
  for (const name of names) {
    const { weights, listed } = await page.evaluate((preset) => {
      attentionLab.loadPreset(preset);
      const listed = attentionLab.tensorNames();
      const { shape, data } = attentionLab.tensor(listed.find((tensor) => tensor.endsWith('attention_weights')));
      return { weights: { shape, data: [...data] }, listed };
    }, name);
    assert.equal(weights.data.length, weights.shape.reduce((product, extent) => product * extent));
    assert.ok(listed.some((tensor) => tensor.endsWith('context_vectors')), name);
    const firstRow = weights.data.slice(0, weights.shape.at(-1)).reduce((sum, x) => sum + x, 0);
    assert.ok(Math.abs(firstRow - 1) < 1e-6, `${name}: ${firstRow}`);
  }
});

test('a change takes effect at once; undo brings the same bits back, redo the change', async () => {
  const outcome = await page.evaluate(() => {
    attentionLab.loadPreset('trainable');
    const bits = () => [...new Uint32Array(attentionLab.tensor('context_vectors').data.buffer)].join();
    const before = bits();
    attentionLab.set('inputs', 1, 0, 2.5);
    const changed = bits();
    const input = attentionLab.tensor('inputs').data[3];
    attentionLab.undo();
    const undone = bits();
    attentionLab.redo();
    return { before, changed, undone, redone: bits(), input };
  });
  assert.equal(outcome.input, 2.5);
  assert.notEqual(outcome.changed, outcome.before);
  assert.equal(outcome.undone, outcome.before);
  assert.equal(outcome.redone, outcome.changed);
});

test('a session goes out and comes back as it was; a broken one throws and changes nothing', async () => {
  const outcome = await page.evaluate(() => {
    const session = attentionLab.session();
    attentionLab.load(session);
    const again = attentionLab.session();
    const broken = ['', '{', '{"format": "other"}', session.replace('"version": 1', '"version": 99')];
    const sentences = broken.map((text) => {
      try {
        attentionLab.load(text);
        return '';
      } catch (error) {
        return error.message;
      }
    });
    return { session, again, broken, sentences, afterwards: attentionLab.session() };
  });
  assert.equal(outcome.again, outcome.session);
  assert.equal(outcome.afterwards, outcome.session);
  assert.deepEqual(outcome.sentences, outcome.broken.map(sentenceAbout));
});

test('after a key tensors belong to the session, also before they are drawn', async () => {
  await page.evaluate(() => attentionLab.loadPreset('trainable'));
  await settle(page);
  await page.evaluate(() => attentionLab.set('inputs', 1, 0, 2.5));
  await settle(page);
  // Asked in every frame, so also in the one that carried the undo out and has yet to draw it.
  const seen = page.evaluate(async () => {
    const changed = attentionLab.session();
    for (const end = Date.now() + 30_000; attentionLab.session() === changed && Date.now() < end;)
      await new Promise(requestAnimationFrame);
    return { session: attentionLab.session(), input: attentionLab.tensor('inputs').data[3] };
  });
  await page.keyboard.press('Control+z');
  const { session, input } = await seen;
  assert.equal(input, Math.fround(JSON.parse(session).tensors.inputs[1][0]));
  assert.notEqual(input, 2.5);
});

test('a tensor or cell that is not there is an error with a sentence', async () => {
  await assert.rejects(page.evaluate(() => attentionLab.tensor('nonsense')), /nonsense/);
  await assert.rejects(page.evaluate(() => attentionLab.set('inputs', 99, 0, 1)), /inputs/);
  await settle(page);
  assert.deepEqual(page.problems, []);
});

test('a tensor of a long text is copied some rows at a time, and what was given without waiting for what follows', async () => {
  const outcome = await page.evaluate((text) => {
    attentionLab.load(text);
    const before = attentionLab.progress();
    const given = attentionLab.tensor('W_key').data.length;
    const between = attentionLab.progress();
    attentionLab.tensor('context_vectors');
    const after = attentionLab.progress();
    const bytes = attentionLab.memoryBytes();
    const { shape, data } = attentionLab.tensor('attention_weights');
    const sums = [0, 1234, 3071].map((row) => data.subarray(row * 3072, (row + 1) * 3072).reduce((sum, x) => sum + x, 0));
    return { before, given, between, after, shape, sums, grownBy: attentionLab.memoryBytes() - bytes };
  }, drawnSession(3072, 64));
  assert.ok(outcome.before < 1);
  assert.equal(outcome.given, 64 * 64);
  assert.equal(outcome.between, outcome.before);
  assert.equal(outcome.after, 1);
  assert.deepEqual(outcome.shape, [3072, 3072]);
  for (const sum of outcome.sums) assert.ok(Math.abs(sum - 1) < 1e-5, `${sum}`);
  assert.ok(outcome.grownBy < 3072 * 3072, `memory has grown by ${outcome.grownBy} bytes: less than a copy`);
});

test('the text of a long session is in memory once, and not afterwards', async () => {
  const { length, once, grownBy, isSame } = await page.evaluate((given) => {
    attentionLab.load(given);
    const bytes = attentionLab.memoryBytes();
    const texts = [attentionLab.session()];
    const once = attentionLab.memoryBytes();
    for (let i = 0; i < 4; ++i) texts.push(attentionLab.session());
    const grownBy = attentionLab.memoryBytes() - once;
    attentionLab.load(texts[0]);
    return { length: texts[0].length, once: once - bytes, grownBy, isSame: attentionLab.session() === texts[2] };
  }, drawnSession(6000, 64));
  assert.ok(length > 3e6, `${length} characters are a long text`);
  assert.ok(once < 1.5 * length, `memory has grown by ${once} bytes for ${length} characters`);
  assert.equal(grownBy, 0);
  assert.ok(isSame);
});

test('what the browser has no room for is an error with a sentence, and the page goes on', async () => {
  await page.evaluate(() => attentionLab.loadPreset('trainable'));
  const said = await page.evaluate(() => {
    const OwnArray = window.Float32Array;
    window.Float32Array = class { constructor() { throw new RangeError('Array buffer allocation failed'); } };
    try {
      attentionLab.tensor('attention_scores');
    } catch (error) {
      return error.message;
    } finally {
      window.Float32Array = OwnArray;
    }
  });
  assert.equal(said, 'attention_scores is 6 × 6 but the browser has no room for a copy of its 36 numbers');
  assert.equal(await page.evaluate(() => attentionLab.tensor('attention_scores').data.length), 36);
});

// While it computes every frame wants another, and each is drawn before the call returns.
test('asking for the status of a text in computing draws a few frames, not all that follow', async () => {
  const before = await page.evaluate(() => attentionLab.session());
  const told = await page.evaluate((text) => {
    attentionLab.load(text);
    attentionLab.status();
    const progress = attentionLab.progress(), frames = attentionLab.frames();
    attentionLab.status();
    return { progress, drawn: attentionLab.frames() - frames };
  }, drawnSession(8192, 8));
  await page.evaluate((text) => attentionLab.load(text), before);
  assert.ok(told.progress < 1, `computed already: ${told.progress}`);
  assert.ok(told.drawn >= 1 && told.drawn <= 3, `${told.drawn} frames`);
});

test('bench times a forward pass and leaves the document alone; what is no count is refused', async () => {
  const outcome = await page.evaluate(async () => {
    const before = attentionLab.session();
    const result = await attentionLab.bench({ n: 40, d_in: 8, d_k: 4, n_heads: 3, threads: 2, repeats: 2 });
    const refused = await attentionLab.bench({ n: 0, d_in: 8, d_k: 4 }).then(() => '', (error) => error.message);
    return { result, refused, isSame: attentionLab.session() === before };
  });
  const { us_min, us_median, gflops_median, ...rest } = outcome.result;
  const threads = await page.evaluate(() => (navigator.hardwareConcurrency > 1 ? 2 : 1)); // else it is the program without
  assert.deepEqual(rest, { case: '40x8x4x3', threads, repeats: 2 });
  assert.ok(us_min > 0 && us_median >= us_min);
  // 4 projections of 40 × 8 × 12, scores and contexts of 3 heads of 40 × 40 × 4, two operations each
  const nOperations = 2 * (4 * 40 * 8 * 12 + 2 * 3 * 40 * 40 * 4);
  assert.ok(Math.abs(gflops_median - nOperations / us_median / 1000) < 1e-9);
  assert.equal(outcome.refused, 'bench takes counts of 1 or more but got 0');
  assert.ok(outcome.isSame);
});
