# Files compiled into the program, so that neither the page nor the desktop program needs to find them at run time.
#
# embed_files(<target> <function> <file>...)  adds to the target a generated source that defines
#   const std::vector<lab::EmbeddedFile>& lab::<function>();
# The bytes come in by the assembler's .incbin, which takes no compile time at any size.
function(embed_files target function)
  set(folder ${PROJECT_BINARY_DIR}/embedded/${target})
  set(assembly ".section .rodata.${function},\"\",@\n")
  set(declarations "")
  set(entries "")
  set(index 0)
  foreach(file IN LISTS ARGN)
    set(symbol ${function}_${index})
    get_filename_component(name ${file} NAME)
    string(APPEND assembly ".p2align 4\n.globl ${symbol}\n.type ${symbol},@object\n${symbol}:\n"
                           "  .incbin \"${file}\"\n.L${symbol}_end:\n  .byte 0\n.size ${symbol}, . - ${symbol}\n"
                           ".globl ${symbol}_size\n.p2align 2\n.type ${symbol}_size,@object\n${symbol}_size:\n"
                           "  .long .L${symbol}_end - ${symbol}\n.size ${symbol}_size, 4\n")
    string(APPEND declarations "extern const char ${symbol}[];\nextern const unsigned int ${symbol}_size;\n")
    string(APPEND entries "        {\"${name}\", ${symbol}, ${symbol}_size},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  if(NOT EMSCRIPTEN)
    string(APPEND assembly ".section .note.GNU-stack,\"\",@progbits\n")
    string(REPLACE ",\"\",@\n" ",\"a\",@progbits\n" assembly "${assembly}")
  endif()
  file(CONFIGURE OUTPUT ${folder}/${function}.S CONTENT "${assembly}" @ONLY)
  file(CONFIGURE OUTPUT ${folder}/${function}.cpp @ONLY CONTENT
"#include <vector>\n\n#include \"engine/embedded_file.h\"\n\nextern \"C\" {\n${declarations}}\n
namespace lab {\nconst std::vector<EmbeddedFile>& ${function}() {
    static const std::vector<EmbeddedFile> files = {\n${entries}    };\n    return files;\n}\n} // namespace lab\n")
  target_sources(${target} PRIVATE ${folder}/${function}.cpp ${folder}/${function}.S)
  set_source_files_properties(${folder}/${function}.S PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON LANGUAGE CXX OBJECT_DEPENDS "${ARGN}"
                              COMPILE_OPTIONS "-xassembler-with-cpp;-Wno-unused-command-line-argument")
endfunction()
