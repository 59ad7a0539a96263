# What every file of ours is compiled with. Third-party sources are not: their warnings are not ours to mend.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)

# Release keeps -O2 rather than CMake's -O3: on Wasm -O3 costs download and gains nothing measurable outside kernels.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
# Under the sanitizers the tests take four times as long without -Og, which compiles in the same time; lines are all that a
# report of theirs names.
set(CMAKE_CXX_FLAGS_DEBUG "-Og -g1")
set(CMAKE_C_FLAGS_DEBUG "-Og -g1")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

option(ATTENTION_LAB_SANITIZE "Address and undefined-behaviour sanitizers" OFF)
if(ATTENTION_LAB_SANITIZE)
  # Two checks at every pointer are given up, since without them all compiles a fifth faster: a null pointer that is read ends
  # under ASan, and no vector of ours is loaded as aligned.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null,alignment -fno-sanitize-recover=undefined
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

# One function or datum per section lets the linker drop what nobody calls; nothing of ours throws or asks for run-time types.
add_compile_options(-ffunction-sections -fdata-sections $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)

# A local name may be that of a constant of another source which is compiled together with its own.
if(NOT ATTENTION_LAB_UNITY)
  set(shadow_warning -Wshadow)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(shadow_warning -Wshadow=local)
endif()

# Contraction is off so that a dot product has the same bits natively and in WebAssembly.
function(attention_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra ${shadow_warning} -Werror -ffp-contract=off)
endfunction()

# Every engine that runs the page has WebAssembly's vectors (Safari since 16.4, the others since 2021), and with them atomic
# instructions on any memory and copying in bulk. So the page's two programs, with threads and without, are linked from the
# same objects: only memory that is to be shared asks for these two, and whoever has the vectors has them too.
if(EMSCRIPTEN)
  add_compile_options(-msimd128 -matomics -mbulk-memory)
endif()
