// A page with unsaved edits asks before it is left; any other does not.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { settle, startBrowser } from './browser.mjs';
import { clickCell, press, typeNumber, until, value } from './person.mjs';

let browser;
before(async () => (browser = await startBrowser()));
after(() => browser?.close());

async function openEdited() {
  const page = await browser.open();
  await settle(page);
  await clickCell(page, 'inputs', 1, 0);
  await typeNumber(page, '2.5');
  await press(page, 'Enter');
  await until('the number is there', async () => (await value(page, 'inputs', 1, 0)) === 2.5);
  return page;
}

// The kinds of questions that were asked until the page was closed, or stayed.
async function leave(page) {
  const questions = [];
  page.on('dialog', (dialog) => (questions.push(dialog.type()), dialog.dismiss()));
  await page.close({ runBeforeUnload: true });
  await until('the page is closed, or asks', () => page.isClosed() || questions.length);
  return questions;
}

test('edits that were not saved: the page asks, and stays when told to', async () => {
  const page = await openEdited();
  assert.deepEqual(await leave(page), ['beforeunload']);
  assert.equal(await value(page, 'inputs', 1, 0), 2.5);
});

test('a page that was only looked at closes without a question', async () => {
  const page = await browser.open();
  await clickCell(page, 'inputs', 1, 0);
  assert.deepEqual(await leave(page), []);
});

test('edits that were undone, or saved, are no reason to ask', async () => {
  const undone = await openEdited();
  await press(undone, 'Control+z');
  assert.deepEqual(await leave(undone), []);

  const saved = await openEdited();
  const arrives = saved.waitForEvent('download');
  await press(saved, 'Control+s');
  await arrives;
  assert.deepEqual(await leave(saved), []);
});
