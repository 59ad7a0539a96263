import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { frames, settle, SINGLE_FILE, startBrowser } from './browser.mjs';

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
