// Firefox draws WebGL 2 only in a window: run under xvfb-run where there is no screen.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { serve } from '../../serve.mjs';
import { SITE } from '../browser.mjs';

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

const frames = (page) => page.evaluate(() => window.attentionLab.frames());
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

test('the page loads in Firefox, wakes for the mouse and falls asleep again', async () => {
  const page = await firefox.newPage();
  const problems = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.goto(server.url);
  await page.evaluate(() => window.attentionLab.ready);
  await pause(1500);
  const idle = await frames(page);
  assert.ok(idle > 0);
  await page.mouse.move(200, 200);
  await page.mouse.move(220, 210);
  await pause(1500);
  const woken = await frames(page);
  assert.ok(woken > idle, 'a moving mouse draws');
  await pause(2000);
  assert.equal(await frames(page), woken);
  assert.deepEqual(problems, []);
});
