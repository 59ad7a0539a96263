// Sessions come in by dropping a file and go out by a download; a broken one is refused with the command line's sentence.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { settle, startBrowser } from './browser.mjs';
import { sentenceAbout } from './native.mjs';
import { bits, click, clickCell, dropFile, dropFiles, pixels, PLACES, press, session, status, typeNumber, until, value } from './person.mjs';

let browser, page;
before(async () => {
  browser = await startBrowser();
  page = await browser.open();
  await settle(page);
});
after(() => browser?.close());

// A good session with some of its keys replaced.
const good = { format: 'attention-lab/session', version: 1, title: 'Mine', tokens: ['α', '中文'],
  tensors: { inputs: [[1, 2], [3, 4]] }, attention: { projections: false } };
const session_with = (parts) => JSON.stringify({ ...good, ...parts });
const inputs = (lists) => session_with({ tensors: { inputs: lists } });

const BROKEN = {
  'empty': '',
  'not JSON': 'hello',
  'a picture': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0xff]),
  'invalid UTF-8': Buffer.concat([Buffer.from('{"title": "'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
  'truncated': session_with({}).slice(0, -30),
  'deeply nested': '['.repeat(100_000),
  'another format': session_with({ format: 'excel' }),
  'a newer version': session_with({ version: 2 }),
  'ragged': inputs([[1, 2], [3]]),
  'text in a cell': inputs([[1, 'two'], [3, 4]]),
  'beyond float32': inputs([[1, 1e39], [3, 4]]),
  'no rows': inputs([]),
  'an unknown value': session_with({ attention: { projections: false, mask: 'sideways' } }),
  'more tokens than rows': session_with({ tokens: ['a', 'b', 'c'] }),
  'shapes that do not fit': session_with({ attention: {}, tensors: { inputs: [[1, 2, 3]], W_query: [[1], [2], [3], [4]],
    W_key: [[1], [2], [3]], W_value: [[1], [2], [3]] } }),
};

for (const [what, content] of Object.entries(BROKEN)) {
  test(`a broken file (${what}) gives the command line's sentence after its name and leaves the document`, async () => {
    const before = await session(page);
    const sentence = `broken.json: ${sentenceAbout(content)}`;
    assert.ok(sentence.length > 23 && !sentence.includes('\n'), sentence);
    const bar = await pixels(page, PLACES.statusBar);
    await dropFile(page, 'broken.json', content);
    await until('the sentence is said', async () => (await status(page)) === sentence);
    assert.equal(await session(page), before);
    await until('it is seen', async () => !(await pixels(page, PLACES.statusBar)).equals(bar));
    await press(page, 'Escape');
    await until('it is gone', async () => (await status(page)) !== sentence);
  });
}

test('a session dropped on the page opens, and undo brings back the one before', async () => {
  const before = await session(page);
  await dropFile(page, 'mine.json', session_with({}));
  await until('it is open', async () => (await page.title()).startsWith('Mine'));
  assert.equal(await value(page, 'inputs', 1, 1), 4);
  assert.deepEqual(JSON.parse(await session(page)).tokens, good.tokens);
  await press(page, 'Control+z');
  assert.equal(await session(page), before);
  await press(page, 'Control+y');
  assert.equal(await value(page, 'inputs', 1, 1), 4);
});

test('of several files that are dropped the first is opened, and it is said which', async () => {
  const before = await session(page);
  await dropFiles(page, [['broken.json', 'hello'], ['mine.json', session_with({})]]);
  const sentence = `broken.json, the first of 2 files: ${sentenceAbout('hello')}`;
  await until('it is said that it is broken', async () => (await status(page)) === sentence);
  assert.equal(await session(page), before);
  await dropFiles(page, [['first.json', session_with({ title: 'First' })], ['broken.json', 'hello']]);
  await until('it is open', async () => (await page.title()).startsWith('First'));
  assert.equal(await status(page), 'first.json, the first of 2 files, is open: drop the others one by one');
  await press(page, 'Escape');
});

test('an unknown key is noted and kept', async () => {
  await dropFile(page, 'noted.json', session_with({ title: 'Noted', colour: 'red' }));
  await until('it is noted', async () => (await status(page)).includes('colour'));
  assert.equal(JSON.parse(await session(page)).colour, 'red');
  await press(page, 'Escape');
});

test('saved, changed and dropped again, a session has its bits again', async () => {
  await page.evaluate(() => attentionLab.loadPreset('linear'));
  await clickCell(page, 'inputs', 0, 0);
  await typeNumber(page, '0.1');
  await press(page, 'Enter');
  const saved = await bits(page);
  const arrives = page.waitForEvent('download');
  await click(page, PLACES.save);
  const download = await arrives;
  assert.equal(download.suggestedFilename(), 'self-attention-with-nn-linear-projections.json');
  const text = readFileSync(await download.path(), 'utf8');
  assert.equal(text, await session(page));

  await clickCell(page, 'inputs', 0, 0);
  await typeNumber(page, '0.2');
  await press(page, 'Enter');
  assert.notDeepEqual(await bits(page), saved);
  await dropFile(page, 'again.json', text);
  await until('it is as saved', async () => (await session(page)) === text);
  assert.deepEqual(await bits(page), saved);
});

test('nothing was said in the console, no other host was asked', () => {
  assert.deepEqual(page.problems, []);
  for (const url of page.requests) assert.ok(url.startsWith(browser.url) || url.startsWith(`blob:${browser.url}`), url);
});
