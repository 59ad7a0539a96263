#include <string>

#include <gtest/gtest.h>

#include "engine/formats/session.h"

namespace {

struct BadSession {
    std::string text;
    std::string sentence;
};

// A good session but for one part.
std::string with(const std::string& key, const std::string& value) {
    std::string text = R"({"format": "attention-lab/session", "version": 1)";
    for (const auto& [name, good] : {std::pair<std::string, std::string>{"tensors", R"({"inputs": [[1, 2], [3, 4]]})"},
                                     {"attention", R"({"projections": false})"}}) {
        text += ", \"" + name + "\": " + (name == key ? value : good);
    }
    return text + (key == "tensors" || key == "attention" ? "}" : ", \"" + key + "\": " + value + "}");
}

std::string inputs(const std::string& value) { return with("tensors", "{\"inputs\": " + value + "}"); }
std::string setting(const std::string& member) { return with("attention", "{\"projections\": false, " + member + "}"); }
std::string made_by(const std::string& entry) { return with("made_by", "{\"inputs\": " + entry + "}"); }

void expect_sentences(const std::vector<BadSession>& table) {
    for (const BadSession& bad : table) {
        const auto file = lab::read_session(bad.text);
        EXPECT_EQ(file ? "no error" : file.error(), bad.sentence) << bad.text.substr(0, 200);
    }
}

TEST(BadSessions, TheirGoodSiblingIsGood) {
    const auto file = lab::read_session(inputs("[[1, 2], [3, 4]]"));
    EXPECT_TRUE(file) << file.error();
    EXPECT_TRUE(lab::read_session(setting("\"round_weights\": 1")));
    EXPECT_TRUE(lab::read_session(made_by(R"({"init": "rand"})")));
}

TEST(BadSessions, Syntax) {
    const std::string start = "{\n  \"format\": ";
    expect_sentences({
        {"", "the text is empty but must be a JSON object"},
        {" \r\n\t", "the text is empty but must be a JSON object"},
        {"hello", "line 1, column 1: this is not JSON (invalid literal)"},
        {start + "\"attention-lab/session\",,",
         "line 2, column 37: this is not JSON (unexpected ','; expected string literal)"},
        {start + "\"é\" x", "line 2, column 17: this is not JSON (invalid literal; expected '}')"},
        {start, "line 2, column 13: the text ends in the middle of format"},
        {start + "\"attention", "line 2, column 23: the text ends in the middle of format"},
        {inputs("[[1, 2], [3, 4]]").substr(0, 80),
         "line 1, column 81: the text ends in the middle of tensors.inputs[1]"},
        {"{} {}", "line 1, column 4: this is not JSON (unexpected '{'; expected end of input)"},
        {"{\"a\": é}", "line 1, column 7: this is not JSON (invalid literal)"},
        {"{\"a\": \"\xff\"}", "line 1, column 8: the text is not UTF-8"},
        {"\xff\xfe{\0", "line 1, column 1: the text is not UTF-8"},
        {inputs("[[1, 2], [NaN, 4]]"),
         "line 1, column 83: tensors.inputs[1][0] is NaN, which a session writes as a string: "
         "\"nan\", \"inf\" or \"-inf\""},
        {inputs("[[1, -Infinity]]"),
         "line 1, column 79: tensors.inputs[0][1] is -Infinity, which a session writes as a "
         "string: \"nan\", \"inf\" or \"-inf\""},
        {setting("\"scale\": NaN"), "line 1, column 137: attention.scale is NaN, which is no number in JSON"},
        {inputs("[[1, nand]]"), "line 1, column 79: this is not JSON (invalid literal)"},
        {R"({"a": 1, "a": 2})", "the key a stands twice"},
        {with("tensors", R"({"inputs": [[1]], "inputs": [[2]]})"), "the key tensors.inputs stands twice"},
    });
}

TEST(BadSessions, FilesOfOtherFormatsAreToldByTheirName) {
    expect_sentences({
        {"\x89PNG\r\n\x1a\n", "the file is a PNG picture but a session is JSON text"},
        {"\xff\xd8\xff\xe0", "the file is a JPEG picture but a session is JSON text"},
        {"GIF89a", "the file is a GIF picture but a session is JSON text"},
        {"\x1f\x8b\x08", "the file is compressed by gzip but a session is JSON text"},
        {"%PDF-1.7", "the file is a PDF document but a session is JSON text"},
        {"\x93NUMPY\x01", "the file is an array of NumPy's but a session is JSON text"},
        {"PK\x03\x04", "the file is a zip archive (such as npz) but a session is JSON text"},
        {"<!DOCTYPE html>", "the file is HTML or XML but a session is JSON text"},
    });
}

TEST(BadSessions, Format) {
    expect_sentences({
        {"[]", "the session is a list but must be an object"},
        {"3", "the session is 3 but must be an object"},
        {"{}", "format is missing but must be \"attention-lab/session\""},
        {R"({"format": "excel", "version": 1})", "format is \"excel\" but must be \"attention-lab/session\""},
        {R"({"format": "attention-lab/session"})", "version is missing but must be 1"},
        {R"({"format": "attention-lab/session", "version": 2})", "version is 2 but this program reads up to version 1"},
        {R"({"format": "attention-lab/session", "version": 0})", "version is 0 but must be 1"},
        {R"({"format": "attention-lab/session", "version": "1"})", "version is \"1\" but must be 1"},
        {with("title", "5"), "title is 5 but must be text in quotation marks"},
        {with("source", "\"a\""), "source is \"a\" but must be a list of texts"},
        {with("tokens", "[\"a\", 2]"), "tokens[1] is 2 but must be text in quotation marks"},
        {with("tensors", "[]"), "tensors is a list but must be an object"},
        {with("attention", "null"), "attention is null but must be an object"},
    });
}

TEST(BadSessions, Tensors) {
    expect_sentences({
        {inputs("[[1, 2], [3]]"), "tensors.inputs[1] has 1 number but tensors.inputs[0] has 2"},
        {inputs("[[1, 2], 3]"), "tensors.inputs[1] is 3 but tensors.inputs[0] is a list"},
        {inputs("[[1, 2], [[3], 4]]"), "tensors.inputs[1][0] is a list but must be a number"},
        {inputs("[[1, 2], [\"three\", 4]]"), "tensors.inputs[1][0] is \"three\" but must be a number"},
        {inputs("[[1, 2], [null, 4]]"), "tensors.inputs[1][0] is null but must be a number"},
        {inputs("[[true, 2], [3, 4]]"), "tensors.inputs[0][0] is true but must be a number"},
        {inputs("[[1, 2], [3, 1e39]]"), "tensors.inputs[1][1] is 1e+39 but float32 ends at 3.4028235e+38"},
        {inputs("[[1, 2], [3, -1e999]]"), "tensors.inputs[1][1] is -1e999 but float32 ends at 3.4028235e+38"},
        {inputs("[]"), "tensors.inputs is empty but a tensor has at least one number"},
        {inputs("[[]]"), "tensors.inputs is empty but a tensor has at least one number"},
        {inputs("7"), "tensors.inputs is 7 but must be a list of rows"},
        {inputs("[[[[1]]]]"), "tensors.inputs has more than 3 axes but a tensor has at most 3"},
        {inputs("[1, 2]"), "inputs is a list of numbers but must be a list of rows"},
        {inputs("[[[1, 2]]]"), "inputs is 1 × 1 × 2 but must have rows and columns only"},
        {with("tensors", R"({"inputs": [[1]], "mask": [[true, 0]]})"),
         "tensors.mask[0][1] is 0 but must be true or false"},
        {with("tensors", R"({"inputs": [[1]], "b_query": [[1]]})"), "b_query is 1 × 1 but must be a list of numbers"},
    });
}

TEST(BadSessions, Settings) {
    expect_sentences({
        {setting("\"scale\": \"big\""), "attention.scale is \"big\" but must be \"rsqrt_d_k\" or a number"},
        {setting("\"scale\": \"inf\""), "attention.scale is \"inf\" but must be \"rsqrt_d_k\" or a number"},
        {setting("\"scale\": 1e300"), "attention.scale is 1e+300 but float32 ends at 3.4028235e+38"},
        {with("attention", "{\"projections\": 1}"), "attention.projections is 1 but must be true or false"},
        {setting("\"normalization\": \"hardmax\""),
         "attention.normalization is \"hardmax\" but must be \"softmax\", \"naive_softmax\", \"sum\", \"sparsemax\" or "
         "\"top_k_softmax\""},
        {setting("\"mask\": true"),
         "attention.mask is true but must be \"none\", \"causal\", \"sliding_window\", \"tensor\" or \"prefix\""},
        {setting("\"window\": 0"), "attention.window is 0 but must be a whole number from 1 to 2147483647"},
        {setting("\"window\": 1e300"), "attention.window is 1e+300 but must be a whole number from 1 to 2147483647"},
        {setting("\"window\": 3000000000"),
         "attention.window is 3000000000 but must be a whole number from 1 to 2147483647"},
        {setting("\"n_heads\": 1.5"), "attention.n_heads is 1.5 but must be a whole number from 1 to 2147483647"},
        {setting("\"round_weights\": -1"), "attention.round_weights is -1 but must be a whole number from 0 to 20"},
        {setting("\"softcap\": \"x\""), "attention.softcap is \"x\" but must be null or a number"},
        {setting("\"position\": \"here\""),
         "attention.position is \"here\" but must be \"none\", \"sinusoidal\", \"rope\", \"alibi\", \"learned\" or "
         "\"relative_bias\""},
        {setting("\"top_k\": 0"), "attention.top_k is 0 but must be a whole number from 1 to 2147483647"},
        {setting("\"document_lengths\": 3"),
         "attention.document_lengths is 3 but must be null or a list of whole numbers"},
        {setting("\"document_lengths\": []"),
         "attention.document_lengths is an empty list but must be null or a list of whole numbers"},
        {setting("\"document_lengths\": [2, 0]"),
         "attention.document_lengths[1] is 0 but must be a whole number from 1 to 2147483647"},
        {setting("\"sink\": 1"), "attention.sink is 1 but must be true or false"},
        {setting("\"dropout\": \"half\""), "attention.dropout is \"half\" but must be a number"},
        {setting("\"dropout_seed\": -1"),
         "attention.dropout_seed is -1 but must be a whole number from 0 to 18446744073709551615"},
        {setting("\"n_blocks\": -1"), "attention.n_blocks is -1 but must be a whole number from 0 to 2147483647"},
        {setting("\"norm_epsilon\": null"), "attention.norm_epsilon is null but must be a number"},
        {setting("\"mlp\": \"swish\""), "attention.mlp is \"swish\" but must be \"none\", \"relu\", \"gelu\", "
                                        "\"gelu_tanh\" or \"silu_gated\""},
        {with("gradient", "3"), "gradient is 3 but must be text in quotation marks"},
        {made_by("{}"), "made_by.inputs.init is missing but must say how the tensor was filled"},
        {made_by("{\"init\": \"magic\"}"), "made_by.inputs.init is \"magic\" but must be one of zeros, constant, "
                                           "identity, rand, randn, linear, embedding, "
                                           "xavier_uniform, xavier_normal, kaiming_uniform, kaiming_normal"},
        {made_by("{\"init\": \"rand\", \"seed\": -1}"),
         "made_by.inputs.seed is -1 but must be a whole number from 0 to 18446744073709551615"},
        {made_by("{\"init\": \"rand\", \"skip\": 1e12}"),
         "made_by.inputs.skip is 1000000000000.0 but must be a whole number from 0 to 1000000000"},
    });
}

TEST(BadSessions, PartsThatDoNotFitTogether) {
    const std::string projections = R"("inputs": [[1, 2, 3]], "W_key": [[1], [2], [3]], "W_value": [[1], [2], [3]])";
    const auto projected = [&](const std::string& more) {
        std::string text = with("tensors", "{" + projections + more + "}");
        return text.replace(text.find("false"), 5, "true");
    };
    for (const char* fine : {", \"W_query\": [[1], [2], [3]]"}) EXPECT_TRUE(lab::read_session(projected(fine)));
    expect_sentences({
        {projected(""), "the tensor W_query is missing but projections is true"},
        {projected(", \"W_query\": [[1], [2], [3], [4]]"), "inputs have 3 columns but W_query has 4 rows"},
        {projected(", \"W_query\": [[1, 1], [2, 2], [3, 3]]"), "queries have 2 columns but keys have 1 column"},
        {with("tensors", "{}"), "the tensor inputs is missing but queries, keys and values are not given either"},
        {with("tokens", "[\"a\"]"), "tokens has 1 word but inputs has 2 rows"},
        {with("context_tokens", "[\"a\"]"), "context_tokens has 1 word but there is no tensor context_inputs"},
        {with("vocabulary", R"(["b", "a"])"), "vocabulary must be sorted but has \"b\" before \"a\""},
        {with("vocabulary", R"(["a", "a"])"), "vocabulary must be unique but has \"a\" twice"},
        {setting("\"mask\": \"tensor\""), "the tensor mask is missing but mask is \"tensor\""},
        {setting("\"mask\": \"sliding_window\""), "mask is \"sliding_window\" but window is missing"},
    });
}

// 65536² is 0 in the 32 bits of WebAssembly, and 65537² is 131073.
TEST(BadSessions, MoreTokensThanCanBePaired) {
    const bool is_small = sizeof(void*) == 4;
    for (const int n_tokens : {is_small ? 65536 : 131073, is_small ? 65537 : 140000}) {
        std::string rows = "[[1]";
        for (int i = 1; i < n_tokens; ++i) rows += ", [1]";
        const std::string n = std::to_string(n_tokens);
        const auto file = lab::read_session(inputs(rows + "]"));
        ASSERT_FALSE(file) << n;
        EXPECT_EQ(file.error(), "attention_scores is " + n + " × " + n + ", but " +
                                    std::to_string(lab::kMostUnstoredCells) + " numbers are the most");
    }
}

TEST(BadSessions, AMillionBracketsAreAnErrorAndNoCrash) {
    EXPECT_EQ(lab::read_session(std::string(1000000, '[')).error(),
              "[0][0][0][0][0][0][0][0][0][0][0][0][0][… is nested deeper than 64 brackets");
    std::string objects;
    for (int i = 0; i < 200000; ++i) objects += "{\"a\":";
    EXPECT_EQ(lab::read_session(objects).error(),
              "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.… is nested deeper than 64 brackets");
    EXPECT_TRUE(lab::read_session(with("deep", std::string(63, '[') + std::string(63, ']'))));
    EXPECT_FALSE(lab::read_session(with("deep", std::string(64, '[') + std::string(64, ']'))));
}

TEST(BadSessions, ManyUnknownKeysTakeNoMoreThanTheirTime) {
    std::string text = R"({"format": "attention-lab/session", "version": 1)";
    for (int i = 0; i < 50000; ++i) text += ", \"k" + std::to_string(i) + "\": 0";
    EXPECT_EQ(lab::parse_session(text + "}")->notes.size(), 50000u);
}

TEST(BadSessions, ALongValueIsShortenedInTheSentence) {
    std::string long_word;
    for (int i = 0; i < 1000; ++i) long_word += "é";
    std::string shown;
    for (int i = 0; i < 20; ++i) shown += "é";
    EXPECT_EQ(lab::read_session(setting("\"scale\": \"" + long_word + "\"")).error(),
              "attention.scale is \"" + shown + "…\" but must be \"rsqrt_d_k\" or a number");
}

} // namespace
