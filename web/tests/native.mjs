// The command line program, built for this machine: the page must agree with it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROGRAM =
  process.env.ATTENTION_LAB_PROGRAM ?? fileURLToPath(new URL('../../build/native/attention-lab', import.meta.url));

function run(parameters, input = '') {
  const outcome = spawnSync(PROGRAM, parameters, { input, encoding: 'utf8' });
  if (outcome.error) throw outcome.error;
  return outcome;
}

// Every tensor of a session, as nested lists. session: "preset:NAME", or "-" for the text `input`; settings as --set takes
// them
export function evaluate(session, input, settings = []) {
  const folder = mkdtempSync(join(tmpdir(), 'attention-lab-'));
  try {
    const file = join(folder, 'trace.json');
    const { status, stderr } = run(['eval', session, ...settings.flatMap((each) => ['--set', each]), '--out', file], input);
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(readFileSync(file, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// What the command line says about a session that it refuses, without its own name before it.
export function sentenceAbout(text) {
  const { status, stderr } = run(['eval', '-'], text);
  if (status !== 2) throw new Error(`the session was not refused: status ${status}`);
  return stderr.trimEnd().replace(/^attention-lab: /, '');
}
