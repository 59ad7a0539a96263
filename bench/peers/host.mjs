// What peers in JavaScript need of the machine: arguments, models, packages that may be missing.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { LEFT_OUT, readCase } from './work.mjs';

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

export function readArguments() {
  const text = (value) => ({ type: 'string', default: value });
  const { values } = parseArgs({ options: { case: text('1024x64x64'), threads: text('1'), repeats: text('25') } });
  return { benchmark: readCase(values.case), threads: Number(values.threads), repeats: Number(values.repeats) };
}

export function leaveOut(sentence) {
  console.error(sentence);
  process.exit(LEFT_OUT);
}

export async function importOrLeaveOut(name) {
  try {
    return await import(name);
  } catch (error) {
    return leaveOut(error.message.split('\n')[0]);
  }
}

// Of a package in bench/node_modules, or null.
export function versionOf(name) {
  const file = `${REPOSITORY}bench/node_modules/${name}/package.json`;
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : null;
}

// The path of the case's model from the repository's root; made where it is missing.
export function modelOf({ size }) {
  const path = `build/bench/models/${size}.onnx`;
  const file = REPOSITORY + path;
  if (existsSync(file)) return path;
  mkdirSync(dirname(file), { recursive: true });
  const script = fileURLToPath(new URL('make_onnx.py', import.meta.url));
  const { status, stderr, error } = spawnSync(process.env.PYTHON ?? '/usr/bin/python3', [script, size, file], { encoding: 'utf8' });
  if (status === LEFT_OUT) leaveOut(stderr.trim());
  if (status !== 0) throw new Error(`the model of ${size} cannot be made: ${stderr ?? error}`);
  return path;
}
