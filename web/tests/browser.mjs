// A real Chromium on the page as it was built, for the tests beside this file.
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from '../serve.mjs';
import { drawn } from './person.mjs';

const BUILD = process.env.ATTENTION_LAB_WEB_BUILD ?? fileURLToPath(new URL('../../build/web', import.meta.url));
export const SITE = `${BUILD}/site`;
export const SINGLE_FILE = `${BUILD}/attention-lab.html`;

// Software drawing, and none of what a browser does on its own.
const FLAGS = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist',
  '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
  '--disable-sync'];

// { url, open(options), contexts(), close() }. `open` gives a page that is ready, whose `problems` collects whatever a person would
// find in the console; `beforehand(page)` comes before it loads.
export async function startBrowser() {
  const server = await serve({ root: SITE, port: 0 });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: FLAGS,
  });
  return {
    url: server.url,
    async open({ url = server.url, beforehand, ...options } = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      const page = await context.newPage();
      page.problems = [];
      page.requests = [];
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) page.problems.push(message.text());
      });
      page.on('pageerror', (error) => page.problems.push(String(error)));
      page.on('request', (request) => page.requests.push(request.url()));
      await beforehand?.(page);
      await page.goto(url);
      await page.evaluate(() => window.attentionLab.ready);
      return page;
    },
    contexts: () => browser.contexts(),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

export const frames = (page) => page.evaluate(() => window.attentionLab.frames());

// Until nothing waits to be drawn: the browser had several chances to, and the page drew nothing.
export async function settle(page) {
  for (let before = -1, now = await frames(page); before !== now; now = await frames(page)) {
    before = now;
    await page.waitForTimeout(100);
    await drawn(page);
  }
}
