// Texts and bytes on their way into the program's memory and back.
export function createStrings(lab) {
  // A view does not see what memory has grown by since; where it is shared, a worker may have made it grow unnoticed.
  const memory = () => lab.wasmMemory?.buffer ?? lab.HEAPU8.buffer;
  // Calls `use(address, size)` with a zero-terminated copy of the bytes, which is gone afterwards.
  function withBytes(bytes, use) {
    const address = lab._malloc(bytes.length + 1);
    if (address === 0) throw new Error(`${bytes.length} bytes are to be read but memory has no room for them`);
    try {
      const view = new Uint8Array(memory(), address, bytes.length + 1);
      view.set(bytes);
      view[bytes.length] = 0;
      return use(address, bytes.length);
    } finally {
      lab._free(address);
    }
  }
  const encoder = new TextEncoder();
  const withText = (text, use) => withBytes(encoder.encode(text), use);
  const numbers = (Kind, address, n) => new Kind(memory(), address, n); // until the program is called again
  const copyNumbers = (Kind, address, n) => numbers(Kind, address, n).slice();
  const memoryBytes = () => memory().byteLength;
  return { withBytes, withText, numbers, copyNumbers, memoryBytes, read: (address) => lab.UTF8ToString(address) };
}
