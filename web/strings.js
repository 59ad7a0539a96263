// Texts and bytes on their way into the program's memory and back.
export function createStrings(lab) {
  // Calls `use(address, size)` with a zero-terminated copy of the bytes, which is gone afterwards.
  function withBytes(bytes, use) {
    const address = lab._malloc(bytes.length + 1);
    if (address === 0) throw new Error(`${bytes.length} bytes are to be read but memory has no room for them`);
    try {
      lab.HEAPU8.set(bytes, address);
      lab.HEAPU8[address + bytes.length] = 0;
      return use(address, bytes.length);
    } finally {
      lab._free(address);
    }
  }
  const withText = (text, use) => withBytes(new TextEncoder().encode(text), use);
  return { withBytes, withText, read: (address) => lab.UTF8ToString(address) };
}
