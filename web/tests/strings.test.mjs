import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStrings } from '../strings.js';

test('text that memory has no room for is an error, and nothing is written', () => {
  const lab = { _malloc: () => 0, _free: () => {}, HEAPU8: new Uint8Array(8) };
  const { withText } = createStrings(lab);
  assert.throws(() => withText('abc', () => assert.fail('used')), /3 bytes are to be read but memory has no room/);
  assert.deepEqual([...lab.HEAPU8], [0, 0, 0, 0, 0, 0, 0, 0]);
});
