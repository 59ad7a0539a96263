// Linked into the glue: see relaxed_kernels_for_web.cpp.
mergeInto(LibraryManager.library, {
  // Later Emscriptens leave the table out of the glue unless somebody asks for it.
  lab_load_relaxed_kernels__deps: '$wasmTable' in LibraryManager.library ? ['$wasmTable'] : [],
  lab_load_relaxed_kernels: function (code, size, stackEnd) {
    try {
      var bytes = new Uint8Array(HEAPU8.subarray(code, code + size)); // a copy: what is shared cannot be compiled
      var module = new WebAssembly.Module(bytes);
      var functions = new WebAssembly.Instance(module, { env: { memory: wasmMemory } }).exports;
      functions.__stack_pointer.value = stackEnd;
      if (!functions.rounds_once()) return 0;
      var names = ['multiply_packed', 'multiply_unpacked', 'softmax_rows', 'powers_in_row', 'powers_in_rows'];
      var first = wasmTable.grow(names.length);
      names.forEach(function (name, i) { wasmTable.set(first + i, functions[name]); });
      return first;
    } catch (error) {
      // An engine that does not know the instruction is nothing to tell of.
      if (!(error instanceof WebAssembly.CompileError)) console.info('kernels without relaxed multiply-add: ' + error);
      return 0;
    }
  },
});
