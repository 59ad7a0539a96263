// Linked into the glue: see relaxed_product_for_web.cpp.
mergeInto(LibraryManager.library, {
  lab_load_relaxed_product: function (code, size, stackEnd) {
    try {
      var bytes = new Uint8Array(HEAPU8.subarray(code, code + size)); // a copy: what is shared cannot be compiled
      var module = new WebAssembly.Module(bytes);
      var functions = new WebAssembly.Instance(module, { env: { memory: wasmMemory } }).exports;
      if (!functions.rounds_once()) return 0;
      functions.__stack_pointer.value = stackEnd;
      var first = wasmTable.grow(2);
      wasmTable.set(first, functions.multiply_packed);
      wasmTable.set(first + 1, functions.multiply_unpacked);
      return first;
    } catch (error) {
      return 0; // an engine that does not know the instruction
    }
  },
});
