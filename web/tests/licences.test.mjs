// Others' code and fonts, with their licences, travel with every copy of the page.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SINGLE_FILE, SITE } from './browser.mjs';

const CMAKE = fileURLToPath(new URL('../../cmake', import.meta.url));

// Where the build fetches from; what only tests use is in tests.cmake.
function repositories() {
  const files = readdirSync(CMAKE).filter((name) => name.endsWith('.cmake') && name !== 'tests.cmake');
  const found = files.flatMap((name) =>
    [...readFileSync(`${CMAKE}/${name}`, 'utf8').matchAll(/https:\/\/github\.com\/[\w-]+\/[\w-]+/g)]);
  return new Set(found.map(([url]) => url));
}

const licences = readFileSync(`${SITE}/licences.txt`, 'utf8');

test('whatever is fetched and built in is named with its licence', () => {
  assert.ok(repositories().size >= 6);
  for (const url of repositories()) assert.ok(licences.includes(`(${url})`), url);
});

test('the single file carries the same, and nothing of it ends the comment early', () => {
  assert.ok(readFileSync(SINGLE_FILE, 'utf8').endsWith(`<!--\n${licences}-->\n`));
  assert.ok(!licences.includes('--' + '>') && !licences.includes('--!>'));
});
