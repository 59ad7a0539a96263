// node make_site.mjs SITE SINGLE_FILE: completes the folder SITE, where the compiled programs lie, and writes the same page,
// with the program without threads, as one file that opens from disk. Our modules become one script: asked for one after
// another as they name each other, they would keep the program waiting.
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// In the order in which they need each other.
const MODULES = ['strings.js', 'frames.js', 'host.js', 'typing.js', 'input.js', 'benchmark.js', 'interface.js', 'program.js',
  'isolation.js', 'lab.js'];
const SCRIPT = '<script src="lab.js" type="module"></script>';
const OTHERS = ['style.css', 'favicon.svg', 'isolating_worker.js'];

const [site, singleFile] = process.argv.slice(2);
const web = dirname(fileURLToPath(import.meta.url));
const LICENCES = join(web, '../docs/licences.md'); // every copy of the page carries them
const source = (name) => readFileSync(join(web, name), 'utf8');

function replaceOnce(text, pattern, replacement) {
  if (text.split(pattern).length !== 2) throw new Error(`index.html does not hold ${pattern} exactly once`);
  return text.replace(pattern, () => replacement);
}

function pageWithSizes() {
  const bytes = (name) => statSync(join(site, name)).size;
  const page = replaceOnce(source('index.html'), 'data-bytes="1"', `data-bytes="${bytes('attention_lab.wasm')}"`);
  return replaceOnce(page, 'data-bytes-with-threads="1"', `data-bytes-with-threads="${bytes('attention_lab_threads.wasm')}"`);
}

// Modules that import one another by name become one script when their imports and exports are left out.
function bundle() {
  const bodies = MODULES.map((name) => source(name).replace(/^import .*;$\n/gm, '').replace(/^export /gm, ''));
  return `(() => {\n'use strict';\n${bodies.join('\n')}})();\n`;
}

const inlineScript = (text) => text.replaceAll('</script', '<\\/script');
const sha256 = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function makeSingleFile(page, bundled) {
  const glue = inlineScript(readFileSync(join(site, 'attention_lab.js'), 'utf8'));
  const script = inlineScript(bundled);
  const style = source('style.css');
  const icon = `data:image/svg+xml;base64,${Buffer.from(source('favicon.svg')).toString('base64')}`;
  const program = readFileSync(join(site, 'attention_lab.wasm')).toString('base64');
  const policy = `default-src 'none'; script-src 'wasm-unsafe-eval' ${sha256(glue)} ${sha256(script)}; ` +
    `style-src ${sha256(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  page = replaceOnce(page, /content="default-src[^"]*"/, `content="${policy}"`);
  page = replaceOnce(page, 'href="favicon.svg"', `href="${icon}"`);
  page = replaceOnce(page, '<link rel="stylesheet" href="style.css">', `<style>${style}</style>`);
  page = replaceOnce(page, SCRIPT,
    `<script type="text/plain" id="program">${program}</script>\n    <script>${glue}</script>\n    <script>${script}</script>`);
  return `${page}<!--\n${readFileSync(LICENCES, 'utf8')}-->\n`;
}

const page = pageWithSizes();
const script = bundle();
writeFileSync(join(site, 'lab.js'), script);
for (const name of MODULES.filter((name) => name !== 'lab.js')) rmSync(join(site, name), { force: true }); // of builds before
for (const name of OTHERS) copyFileSync(join(web, name), join(site, name));
copyFileSync(LICENCES, join(site, 'licences.txt'));
writeFileSync(singleFile, makeSingleFile(page, script));
writeFileSync(join(site, 'index.html'), replaceOnce(page, SCRIPT, '<script src="lab.js" defer></script>')); // last: its date says that all is done
