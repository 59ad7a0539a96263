// node check_relaxed_kernels.mjs MODULE: ends badly where the module would write into the program's memory by being
// instantiated. It was linked by itself, so that its data would lie where the program's are.
import { readFileSync } from 'node:fs';

const FORBIDDEN = { 8: 'a start function', 11: 'data', 12: 'data' };
const bytes = readFileSync(process.argv[2]);
let at = 8; // after the magic number and the version

// A number as the format writes it: seven bits a byte, the lowest first.
function number() {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return value;
  }
}

while (at < bytes.length) {
  const section = bytes[at++];
  if (section in FORBIDDEN) {
    console.error(`${process.argv[2]} has ${FORBIDDEN[section]}, which would overwrite the program's memory`);
    process.exit(1);
  }
  const size = number();
  at += size;
}
