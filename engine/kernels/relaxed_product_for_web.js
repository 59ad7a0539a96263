// Linked into the glue: see relaxed_product_for_web.cpp.
mergeInto(LibraryManager.library, {
  // Later Emscriptens leave the table out of the glue unless somebody asks for it.
  lab_load_relaxed_product__deps: '$wasmTable' in LibraryManager.library ? ['$wasmTable'] : [],
  lab_load_relaxed_product: function (code, size, stackEnd) {
    try {
      var bytes = new Uint8Array(HEAPU8.subarray(code, code + size)); // a copy: what is shared cannot be compiled
      var module = new WebAssembly.Module(bytes);
      var functions = new WebAssembly.Instance(module, { env: { memory: wasmMemory } }).exports;
      functions.__stack_pointer.value = stackEnd;
      if (!functions.rounds_once()) return 0;
      var first = wasmTable.grow(2);
      wasmTable.set(first, functions.multiply_packed);
      wasmTable.set(first + 1, functions.multiply_unpacked);
      return first;
    } catch (error) {
      // An engine that does not know the instruction is nothing to tell of.
      if (!(error instanceof WebAssembly.CompileError)) console.info('products without relaxed multiply-add: ' + error);
      return 0;
    }
  },
});
