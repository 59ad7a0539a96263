import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { frames, settle, SINGLE_FILE, startBrowser } from './browser.mjs';
import { middleOf, until, value } from './person.mjs';

let browser;
before(async () => (browser = await startBrowser()));
after(() => browser?.close());

test('the page loads without a word in the console and asks no other host', async () => {
  const page = await browser.open();
  await settle(page);
  assert.deepEqual(page.problems, []);
  for (const url of page.requests) assert.ok(url.startsWith(browser.url), url);
  assert.equal(await page.isVisible('#loading'), false);
});

test('an idle page draws nothing, and a moving mouse wakes it', async () => {
  const page = await browser.open();
  await settle(page);
  const idle = await frames(page);
  await page.waitForTimeout(5000);
  assert.equal(await frames(page), idle);
  await page.mouse.move(300, 300);
  await settle(page);
  assert.ok((await frames(page)) > idle);
});

test('a number that is held draws nothing while the hand rests', async () => {
  const page = await browser.open();
  await settle(page);
  const [x, y] = await middleOf(page, 'inputs', 1, 1);
  const before = await value(page, 'inputs', 1, 1);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 30, { steps: 3 });
  await until('what it changed is drawn, and what shines has settled', async () => {
    const n_drawn = await frames(page);
    await page.waitForTimeout(1000);
    return await frames(page) === n_drawn;
  });
  const resting = await frames(page), dragged = await value(page, 'inputs', 1, 1);
  await page.waitForTimeout(1000);
  assert.equal(await frames(page), resting);
  await page.mouse.move(x, y - 60, { steps: 3 });
  await page.mouse.up();
  await settle(page);
  assert.notEqual(dragged, before);
  assert.notEqual(await value(page, 'inputs', 1, 1), dragged, 'it goes on');
});

for (const ratio of [1, 1.5, 2, 3]) {
  test(`the canvas has the screen's own pixels at ratio ${ratio}`, async () => {
    const page = await browser.open({ viewport: { width: 801, height: 603 }, deviceScaleFactor: ratio });
    await settle(page);
    const size = () => page.evaluate(() => [document.querySelector('canvas').width, document.querySelector('canvas').height]);
    assert.deepEqual(await size(), [Math.round(801 * ratio), Math.round(603 * ratio)]);
    await page.setViewportSize({ width: 390, height: 844 });
    await settle(page);
    assert.deepEqual(await size(), [390 * ratio, 844 * ratio]);
    assert.deepEqual(page.problems, []);
  });
}

test('the single file opens from disk and asks for nothing', async () => {
  const page = await browser.open({ url: `file://${SINGLE_FILE}` });
  await settle(page);
  assert.deepEqual(page.problems, []);
  assert.deepEqual(page.requests.filter((url) => !url.startsWith('file://') && !url.startsWith('data:')), []);
  assert.ok((await frames(page)) > 0);
});
