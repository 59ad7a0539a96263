# Kernels in relaxed multiply-add (engine/kernels/relaxed_kernels.h): natively there are none, for the page they are a module of
# their own, linked twice, for memory that is shared between threads and for memory that is not. Emscripten's own tools do not
# see it: those of 2022 refuse the instruction.
if(NOT EMSCRIPTEN)
  target_sources(attention_engine PRIVATE engine/kernels/relaxed_kernels_none.cpp)
  return()
endif()

# The linker of the same LLVM that compiles: Emscripten says where that is.
find_program(EM_CONFIG em-config HINTS ${EMSCRIPTEN_ROOT_PATH} REQUIRED)
execute_process(COMMAND ${EM_CONFIG} LLVM_ROOT
                OUTPUT_VARIABLE llvm_folder OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_program(WASM_LINKER wasm-ld PATHS ${llvm_folder} NO_DEFAULT_PATH REQUIRED)
add_library(attention_relaxed_kernels_object OBJECT engine/kernels/relaxed_module_products_for_web.cpp
  engine/kernels/relaxed_module_rows_for_web.cpp)
target_include_directories(attention_relaxed_kernels_object PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(attention_relaxed_kernels_object PRIVATE attention_highway)
attention_compile_options(attention_relaxed_kernels_object)
# Whatever the rest is compiled for: what it takes of its small stack is known of optimised code, and a sanitizer is not in there.
target_compile_options(attention_relaxed_kernels_object PRIVATE -mmutable-globals -O2 -fno-sanitize=all)

# relaxed_kernels(<library> <option>...): the module, and what brings it into a program.
function(relaxed_kernels library)
  set(module ${PROJECT_BINARY_DIR}/embedded/${library}/relaxed_kernels.wasm)
  add_custom_command(OUTPUT ${module}
    COMMAND ${WASM_LINKER} --no-entry --gc-sections --strip-all --export=__stack_pointer --import-memory ${ARGN}
            $<TARGET_OBJECTS:attention_relaxed_kernels_object> -o ${module}
    COMMAND ${NODE_PROGRAM} ${PROJECT_SOURCE_DIR}/cmake/check_relaxed_kernels.mjs ${module}
    DEPENDS attention_relaxed_kernels_object $<TARGET_OBJECTS:attention_relaxed_kernels_object>
            ${PROJECT_SOURCE_DIR}/cmake/check_relaxed_kernels.mjs COMMAND_EXPAND_LISTS VERBATIM)
  add_library(${library} STATIC engine/kernels/relaxed_kernels_for_web.cpp)
  target_include_directories(${library} PUBLIC ${PROJECT_SOURCE_DIR})
  attention_compile_options(${library})
  embed_files(${library} embedded_relaxed_kernels ${module})
  target_link_options(${library} INTERFACE -sALLOW_TABLE_GROWTH=1
    --js-library ${PROJECT_SOURCE_DIR}/engine/kernels/relaxed_kernels_for_web.js)
endfunction()
relaxed_kernels(attention_relaxed_kernels)
relaxed_kernels(attention_relaxed_kernels_shared --shared-memory --max-memory=4294967296)
