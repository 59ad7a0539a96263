// The whole lab in one file, opened from disk: the same by hand as from a server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { settle, SINGLE_FILE, startBrowser } from './browser.mjs';
import { bits, click, clickCell, dropFile, explanation, hoverCell, matrixPixels, PLACES, press, session, status,
  typeNumber, until, value } from './person.mjs';

let browser, page;
before(async () => {
  browser = await startBrowser();
  page = await browser.open({ url: `file://${SINGLE_FILE}` });
  await settle(page);
});
after(() => browser?.close());

test('a worked example opens from the list', async () => {
  await click(page, PLACES.session);
  await settle(page);
  await click(page, PLACES.preset(2));
  await until('it is open', async () => (await page.title()).includes('without trainable weights'));
  assert.equal(await page.evaluate(() => attentionLab.tensorNames().includes('W_query')), false);
});

test('a number is typed, what follows changes, undo brings the same bits back', async () => {
  await clickCell(page, 'inputs', 2, 1);
  await settle(page);
  const before = await bits(page);
  const picture = await matrixPixels(page, 'attention_weights');
  await typeNumber(page, '9');
  await press(page, 'Enter');
  await until('the number is there', async () => (await value(page, 'inputs', 2, 1)) === 9);
  await until('the weights look otherwise', async () => !(await matrixPixels(page, 'attention_weights')).equals(picture));
  await press(page, 'Control+z');
  assert.deepEqual(await bits(page), before);
});

test('the sum is shown on hover', async () => {
  await hoverCell(page, 'context_vectors', 0, 0);
  assert.match(await explanation(page), /^context_vectors\[Your, d₁\]/);
});

test('a file opens, a broken one leaves the document', async () => {
  const before = await session(page);
  await dropFile(page, 'broken.json', '{}');
  await until('it is refused', async () => (await status(page)).startsWith('broken.json: format is missing'));
  assert.equal(await session(page), before);
  await dropFile(page, 'fine.json', before.replace('without trainable weights', 'from disk'));
  await until('it is open', async () => (await page.title()).includes('from disk'));
});

test('nothing was said in the console, nothing was asked for', () => {
  assert.deepEqual(page.problems, []);
  assert.deepEqual(page.requests.filter((url) => !/^(file|data|blob):/.test(url)), []);
});
