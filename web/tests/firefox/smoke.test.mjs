// Firefox draws WebGL 2 only in a window: run under xvfb-run where there is no screen.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { serve } from '../../serve.mjs';
import { SITE } from '../browser.mjs';
import { bits, clickCell, explanation, hoverCell, session, typeNumber, until, value } from '../person.mjs';

let server, firefox;
before(async () => {
  server = await serve({ root: SITE, port: 0 });
  firefox = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    headless: false,
    extraPrefsFirefox: { 'webgl.force-enabled': true },
  });
});
after(async () => {
  await firefox?.close();
  await server?.close();
});

async function open() {
  const page = await firefox.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  const problems = [];
  page.on('console', (message) => ['error', 'warn', 'warning'].includes(message.type()) && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.goto(server.url);
  await page.evaluate(() => window.attentionLab.ready);
  return { page, problems };
}

// Until nothing has been drawn for a while.
async function sleeping(page) {
  let before = -1;
  return until('the page sleeps', async () => {
    const now = await frames(page);
    const sleeps = now === before;
    before = now;
    await pause(500);
    return sleeps && now;
  });
}

const frames = (page) => page.evaluate(() => window.attentionLab.frames());
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

test('the page loads in Firefox, wakes for the mouse and falls asleep again', async () => {
  const { page, problems } = await open();
  const idle = await sleeping(page);
  await page.mouse.move(200, 200);
  await page.mouse.move(220, 210);
  const woken = await until('a moving mouse draws', async () => (await frames(page)) > idle && sleeping(page));
  await pause(2000);
  assert.equal(await frames(page), woken);
  assert.deepEqual(problems, []);
});

test('a number is typed in Firefox, what follows changes, undo brings the same bits back', async () => {
  const { page, problems } = await open();
  const before = await bits(page);
  const document = await session(page);
  await clickCell(page, 'inputs', 1, 0);
  await typeNumber(page, '2.5');
  await page.keyboard.press('Enter');
  await until('the number is there', async () => (await value(page, 'inputs', 1, 0)) === 2.5);
  assert.notEqual((await bits(page)).attention_weights, before.attention_weights);
  await page.keyboard.down('Control');
  await page.keyboard.press('z');
  await page.keyboard.up('Control');
  await until('it is undone', async () => (await session(page)) === document);
  assert.deepEqual(await bits(page), before);
  await hoverCell(page, 'attention_weights', 3, 1);
  await until('the sum is shown', async () => (await explanation(page)).startsWith('attention_weights[with, journey]'));
  assert.deepEqual(problems, []);
});

test('it computes with two threads', async () => {
  const { page, problems } = await open();
  const line = await page.evaluate(() => attentionLab.bench({ n: 256, d_in: 32, d_k: 32, threads: 2, repeats: 2 }));
  assert.equal(line.threads, 2);
  assert.deepEqual(problems, []);
});
