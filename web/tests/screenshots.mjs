// Pictures of the page, to look at: node screenshots.mjs FOLDER [NAME…]
// Every worked example in dark and light, some on a phone, some at twice the pixels, and the desktop's window.
// NAME: only pictures whose names begin so. README.md's own is "first-screen", in 256 colours.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { settle, startBrowser } from './browser.mjs';
import { PROGRAM } from './native.mjs';

const [folder, ...wanted] = process.argv.slice(2);
if (!folder) throw new Error('say in which folder: node screenshots.mjs FOLDER');
mkdirSync(folder, { recursive: true });

const DESKTOP = { viewport: { width: 1280, height: 800 } };
const SHARP = { ...DESKTOP, deviceScaleFactor: 2 };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, hasTouch: true, isMobile: true };
const THEMES = ['dark', 'light'];
const NO_HINTS = 99;

const browser = await startBrowser();
const isWanted = (name) => wanted.length === 0 || wanted.some((start) => name.startsWith(start));

async function take(name, options, { preset, hints = NO_HINTS, act }) {
  if (!isWanted(name)) return;
  const page = await browser.open(options);
  await page.evaluate((n) => localStorage.setItem('attention-lab.hints', String(n)), hints);
  await page.reload();
  await page.evaluate(() => attentionLab.ready);
  if (preset) await page.evaluate((each) => attentionLab.loadPreset(each), preset);
  await act?.(page);
  await settle(page);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  for (const problem of page.problems) console.error(`${name}: ${problem}`);
  await page.context().close();
  console.log(name);
}

async function takeAll() {
  const page = await browser.open();
  const presets = await page.evaluate(() => attentionLab.presets());
  await page.context().close();
  for (const theme of THEMES) {
    const colorScheme = theme;
    for (const preset of presets) await take(`${preset}-${theme}`, { ...DESKTOP, colorScheme }, { preset });
    await take(`hints-${theme}`, { ...DESKTOP, colorScheme }, { hints: 0 });
    await take(`phone-${theme}`, { ...PHONE, colorScheme }, {});
    await take(`phone-linear-${theme}`, { ...PHONE, colorScheme }, { preset: 'linear' });
  }
  await take('first-screen', { ...SHARP, colorScheme: 'dark' }, {});
  await take('first-screen-light', { ...SHARP, colorScheme: 'light' }, {});
}

// The window on a screen that nobody sees; needs Xvfb and ImageMagick's import.
async function takeWindow(name) {
  if (!isWanted(name)) return;
  const display = ':97';
  const environment = { ...process.env, DISPLAY: display, XDG_CONFIG_HOME: join(folder, 'config') };
  const server = spawn('Xvfb', [display, '-screen', '0', '1280x800x24'], { stdio: 'ignore' });
  await new Promise((done) => setTimeout(done, 2000));
  const lab = spawn(PROGRAM, ['preset:trainable'], { env: environment, stdio: 'inherit' });
  await new Promise((done) => setTimeout(done, 5000));
  const picture = spawnSync('sh', ['-c', `import -window root '${join(folder, name)}.png'`], { env: environment });
  if (picture.status !== 0) console.error(`${name}: ${picture.stderr}`);
  else console.log(name);
  lab.kill();
  server.kill();
}

try {
  await takeAll();
} finally {
  await browser.close();
}
await takeWindow('window');
