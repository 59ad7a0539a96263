// onnxruntime-web in Chromium, giving back scores, weights and context vectors.
import { existsSync } from 'node:fs';
import { serve } from '../../web/serve.mjs';
import { importOrLeaveOut, leaveOut, modelOf, readArguments, REPOSITORY, versionOf } from './host.mjs';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'];

// The page's own server does not know the ending .mjs, which only the package's files have.
async function nameModulesJavaScript(context) {
  await context.route(/\.mjs$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), 'content-type': 'text/javascript' } });
  });
}

const options = readArguments();
const { chromium } = await importOrLeaveOut('playwright-core');
if (!versionOf('onnxruntime-web')) leaveOut('onnxruntime-web is not installed');
if (!existsSync(CHROMIUM)) leaveOut(`there is no Chromium at ${CHROMIUM}`);
const model = modelOf(options.benchmark);

const server = await serve({ root: REPOSITORY, port: 0 });
const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
try {
  const context = await browser.newContext();
  await nameModulesJavaScript(context);
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(String(error)));
  await page.goto(`${server.url}bench/peers/onnxruntime_web.html`);
  const line = await page.evaluate((given) => window.measured(given), { ...options, model: `/${model}` });
  const version = versionOf('onnxruntime-web');
  console.log(JSON.stringify({ ...line, version: `onnxruntime-web ${version} in Chromium ${browser.version()}` }));
} finally {
  await browser.close();
  await server.close();
}
