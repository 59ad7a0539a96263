#include "engine/formats/session.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "engine/formats/attention_settings.h"
#include "engine/initialisers.h"
#include "tests/engine/support.h"

namespace {

using lab::Document;
using lab::Shape;
using lab::Tensor;

using lab::test::kInfinity;

const std::string kSmall = R"({"format": "attention-lab/session", "version": 1,
  "tensors": {"inputs": [[1, 2], [3, 4]]}, "attention": {"projections": false}, )";

lab::SessionFile read(const std::string& text) {
    auto file = lab::read_session(text);
    EXPECT_TRUE(file) << file.error() << " in\n" << text;
    return file ? *file : lab::SessionFile{};
}

// Any float32 but the many NaNs: special numbers often, else any bits.
float any_number(std::mt19937& random) {
    const float special[] = {0.0f, -0.0f, kInfinity, -kInfinity, std::nanf(""), 1e-45f, 3.4028235e38f, 16777217.0f};
    if (random() % 3 == 0) return special[random() % 8];
    const std::uint32_t bits = random();
    float value = 0.0f;
    std::memcpy(&value, &bits, sizeof value);
    return std::isnan(value) ? 0.5f : value;
}

Tensor any_tensor(std::mt19937& random, const Shape& shape) {
    std::vector<float> cells(shape.size());
    for (float& cell : cells) cell = any_number(random);
    return Tensor(shape, cells);
}

std::string any_word(std::mt19937& random) {
    const char* const words[] = {"", "Your", "日出", "é", "😀", "a\"b\\", "line\nbreak", "\t", "\x7f", "</script>"};
    return words[random() % 10];
}

lab::MadeBy any_made_by(std::mt19937& random) {
    lab::MadeBy made;
    made.init = lab::initialisers()[random() % lab::initialisers().size()].name;
    made.seed = random() % 2 == 0 ? random() : std::numeric_limits<std::uint64_t>::max();
    made.skip = static_cast<std::int64_t>(random() % 100);
    if (random() % 2 == 0) made.value = std::fabs(any_number(random)) > 1.0f ? kInfinity : -0.0f;
    if (random() % 2 == 0) made.n_embeddings = static_cast<int>(random() % 50000 + 1);
    return made;
}

Document any_document(std::mt19937& random) {
    Document document;
    const auto up_to = [&](int n) { return static_cast<int>(random() % static_cast<std::uint32_t>(n)) + 1; };
    const int n_tokens = up_to(4), d_in = up_to(4), d_k = up_to(3), d_v = up_to(3);
    document.title = any_word(random);
    for (int i = up_to(3); i > 1; --i) document.source.push_back(any_word(random));
    if (random() % 2 == 0) {
        for (int i = 0; i < n_tokens; ++i) document.tokens.push_back(any_word(random));
    }
    if (random() % 2 == 0) document.vocabulary = {"", "The", "east", "É", "日"};
    document.tensors["inputs"] = any_tensor(random, Shape::matrix(n_tokens, d_in));
    document.tensors["W_query"] = any_tensor(random, Shape::matrix(d_in, d_k));
    document.tensors["W_key"] = any_tensor(random, Shape::matrix(d_in, d_k));
    document.tensors["W_value"] = any_tensor(random, Shape::matrix(d_in, d_v));
    if (random() % 2 == 0) document.tensors["b_value"] = any_tensor(random, Shape::vector(d_v));
    if (random() % 2 == 0) document.tensors["mask"] = any_tensor(random, Shape::stack(2, n_tokens, n_tokens));
    document.attention.normalization = static_cast<lab::Normalization>(random() % 3);
    if (random() % 2 == 0) document.attention.scale = std::ldexp(1.0f, static_cast<int>(random() % 200) - 100) / 3.0f;
    if (random() % 2 == 0) document.attention.round_weights = static_cast<int>(random() % 5);
    if (random() % 2 == 0) document.attention.window = up_to(9);
    for (const char* name : {"W_query", "W_key"}) {
        if (random() % 2 == 0) document.made_by[name] = any_made_by(random);
    }
    return document;
}

TEST(Session, WhatIsWrittenIsReadToTheBit) {
    std::mt19937 random(11);
    for (int i = 0; i < 500; ++i) {
        const Document document = any_document(random);
        const std::string text = lab::write_session(document);
        const auto file = read(text);
        ASSERT_TRUE(bit_equal(document, file.document)) << text;
        ASSERT_TRUE(file.notes.empty()) << file.notes.front();
        ASSERT_EQ(lab::write_session(file.document), text);
    }
}

TEST(Session, EverySettingIsWrittenAndRead) {
    Document document;
    lab::AttentionSettings& attention = document.attention;
    attention.projections = false;
    attention.scale = 0.5f;
    attention.normalization = lab::Normalization::sum;
    attention.mask = lab::MaskKind::sliding_window;
    attention.window = 3;
    attention.round_weights = 2;
    attention.n_heads = 4;
    attention.n_kv_heads = 2;
    attention.softcap = 30.0f;
    attention.position = lab::Position::alibi;
    attention.top_k = 2;
    attention.prefix = 0;
    attention.document_lengths = {3, 2};
    attention.nonpad_keys = 4;
    attention.sink = true;
    attention.dropout = 0.1f;
    attention.dropout_seed = std::numeric_limits<std::uint64_t>::max();
    attention.rope = {500000, lab::RopePairs::interleaved, 2, 8};
    attention.context_length = 5;
    attention.blocks = {2,     false, lab::Norm::rms_norm,  lab::NormPosition::post,
                        1e-6f, true,  lab::Mlp::silu_gated, lab::Unembedding::tied};
    document.gradient = "logprob(4,\"mat\")";
    const std::string text = lab::write_session(document);
    const auto file = lab::parse_session(text);
    ASSERT_TRUE(file) << file.error();
    EXPECT_EQ(file->document.attention, document.attention) << text;
    EXPECT_EQ(file->document.gradient, document.gradient) << text;
    EXPECT_TRUE(file->notes.empty()) << file->notes.front();
    EXPECT_FALSE(bit_equal(file->document, Document()));
}

TEST(Session, EveryWordOfASettingIsTheContracts) {
    const std::vector<std::pair<std::string, std::vector<std::string>>> words = {
        {"normalization", {"softmax", "naive_softmax", "sum", "sparsemax", "top_k_softmax"}},
        {"mask", {"none", "causal", "sliding_window", "tensor", "prefix"}},
        {"position", {"none", "sinusoidal", "rope", "alibi", "learned", "relative_bias"}},
        {"rope_pairs", {"half", "interleaved"}},
        {"norm", {"none", "layer_norm", "rms_norm"}},
        {"norm_position", {"pre", "post"}},
        {"mlp", {"none", "relu", "gelu", "gelu_tanh", "silu_gated"}},
        {"unembedding", {"none", "own", "tied"}}};
    for (const auto& [key, values] : words) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            Document document;
            ASSERT_TRUE(lab::set_attention_key(document.attention, key, values[i])) << key << " " << values[i];
            EXPECT_EQ(document.attention == lab::AttentionSettings(), i == 0) << "the first is the default: " << key;
            const std::string stated = '"' + key + "\": \"" + values[i] + '"';
            const bool is_left_out = i == 0 && key != "normalization" && key != "mask";
            EXPECT_EQ(lab::write_session(document).find(stated) == std::string::npos, is_left_out) << stated;
        }
    }
}

TEST(Session, BlocksAreWrittenOneAfterTheOtherBetweenTheModelsTensors) {
    Document document;
    for (const char* name : {"W_unembedding", "final_norm_gain", "inputs", "blocks.10.W_query", "blocks.9.W_down",
                             "blocks.9.W_query", "blocks.9.b_query", "mask"}) {
        document.tensors[name] = Tensor(Shape::matrix(1, 1));
        document.made_by[name].init = "rand";
    }
    const std::string text = lab::write_session(document);
    std::size_t before = 0;
    for (const std::string list : {"tensors", "made_by"}) {
        before = text.find('"' + list + '"', before);
        for (const char* name : {"inputs", "blocks.9.W_query", "blocks.9.b_query", "blocks.9.W_down",
                                 "blocks.10.W_query", "mask", "final_norm_gain", "W_unembedding"}) {
            const std::size_t place = text.find('"' + std::string(name) + '"', before);
            ASSERT_NE(place, std::string::npos) << name << " in\n" << text;
            before = place;
        }
    }
}

TEST(Session, WhatMayStandInNoBlockIsKeptAsUnknown) {
    const auto file = lab::parse_session(R"({"format": "attention-lab/session", "version": 1,
      "tensors": {"blocks.0.inputs": [[1]], "blocks.01.W_query": [[1]], "blocks.0.W_query": [[1]]}})");
    ASSERT_TRUE(file) << file.error();
    EXPECT_EQ(file->notes, (std::vector<std::string>{
                               "tensors.\"blocks.0.inputs\" is not known to this version; it is kept on saving",
                               "tensors.\"blocks.01.W_query\" is not known to this version; it is kept on saving"}));
    EXPECT_EQ(file->document.tensors.size(), 1u);
}

TEST(Session, TheDefaultsAreTheContracts) {
    const auto file = lab::parse_session(R"({"format": "attention-lab/session", "version": 1})");
    ASSERT_TRUE(file) << file.error();
    EXPECT_TRUE(bit_equal(file->document, Document()));
    EXPECT_EQ(file->document.attention, lab::AttentionSettings());
}

TEST(Session, IsWrittenInTheContractsOrderWithARowOnALine) {
    Document document;
    document.title = "T \"quoted\"";
    document.tokens = {"a", "é"};
    document.tensors["inputs"] = Tensor(Shape::matrix(2, 2), {0.43f, -0.0f, kInfinity, 1e10f});
    document.attention.projections = false;
    document.made_by["inputs"].init = "rand";
    EXPECT_EQ(lab::write_session(document), R"({
  "format": "attention-lab/session",
  "version": 1,
  "title": "T \"quoted\"",
  "tokens": ["a", "é"],
  "tensors": {
    "inputs": [
      [0.43, -0.0],
      ["inf", 1e+10]
    ]
  },
  "attention": {
    "projections": false,
    "scale": "rsqrt_d_k",
    "normalization": "softmax",
    "mask": "none"
  },
  "made_by": {
    "inputs": {"init": "rand", "seed": 0, "skip": 0}
  }
}
)");
}

TEST(Session, WhatNobodyKnowsIsKeptAndReported) {
    const std::string text = R"({"format": "attention-lab/session", "version": 1, "zoom": [1, -0, 1e300, {"a": null}],
      "tensors": {"inputs": [[1, 2]], "W_door": [[1], ["x"]]},
      "attention": {"projections": false, "heads up": "é"},
      "made_by": {"inputs": {"init": "rand", "seed": 7, "mood": true}, "W_door": {"init": "magic"}}})";
    const auto file = read(text);
    const std::vector<std::string> notes = {"attention.\"heads up\" is not known to this version; it is kept on saving",
                                            "zoom is not known to this version; it is kept on saving",
                                            "tensors.W_door is not known to this version; it is kept on saving",
                                            "made_by.W_door is not known to this version; it is kept on saving",
                                            "made_by.inputs.mood is not known to this version; it is kept on saving"};
    EXPECT_EQ(file.notes, notes);
    const std::string written = lab::write_session(file.document);
    for (const char* kept : {R"("zoom": [1,-0.0,1e+300,{"a":null}])", R"("W_door": [[1],["x"]])", R"("heads up": "é")",
                             R"("mood": true)", R"("W_door": {"init":"magic"})"}) {
        EXPECT_NE(written.find(kept), std::string::npos) << kept << " in\n" << written;
    }
    const auto again = read(written);
    EXPECT_TRUE(bit_equal(again.document, file.document));
    EXPECT_EQ(again.notes, file.notes);
    EXPECT_EQ(lab::write_session(again.document), written);
}

TEST(Session, UnknownKeysOfATensorsHistoryGoWithIt) {
    auto file = read(kSmall + R"("made_by": {"inputs": {"init": "rand", "mood": true}}})");
    file.document.made_by.clear();
    EXPECT_TRUE(read(lab::write_session(file.document)).document.made_by.empty());
}

TEST(Session, AHistoryWithoutItsTensorIsANote) {
    const auto file = read(kSmall + R"("made_by": {"W_query": {"init": "rand"}}})");
    ASSERT_EQ(file.notes.size(), 1u);
    EXPECT_EQ(file.notes[0], "made_by.W_query describes a tensor that is not there");
    EXPECT_EQ(file.document.made_by.count("W_query"), 1u);
}

TEST(Session, NumbersAreTheNearestFloat32) {
    const auto file = read(R"({"format": "attention-lab/session", "version": 1.0, "attention": {"projections": false},
      "tensors": {"inputs": [[-0, -0.0, 0.1, 3.4028235e38, 1e-60, "nan", "inf", "-inf", 123456789012345678901]]}})");
    const auto row = file.document.tensors.at("inputs").row(0);
    EXPECT_TRUE(std::signbit(row[0]) && row[0] == 0.0f);
    EXPECT_TRUE(std::signbit(row[1]) && row[1] == 0.0f);
    EXPECT_EQ(row[2], 0.1f);
    EXPECT_EQ(row[3], std::numeric_limits<float>::max());
    EXPECT_EQ(row[4], 0.0f);
    EXPECT_TRUE(std::isnan(row[5]));
    EXPECT_EQ(row[6], kInfinity);
    EXPECT_EQ(row[7], -kInfinity);
    EXPECT_EQ(row[8], 123456789012345678901.0f);
}

TEST(Session, AMaskMayBeOfTrueAndFalse) {
    const auto file = read(R"({"format": "attention-lab/session", "version": 1,
      "tensors": {"inputs": [[1], [2]], "mask": [[true, false], [true, true]]},
      "attention": {"projections": false, "mask": "tensor"}})");
    EXPECT_EQ(file.document.tensors.at("mask").values(), (std::vector<float>{0.0f, -kInfinity, 0.0f, 0.0f}));
}

TEST(Session, TextThatIsNotUtf8CanBeWritten) {
    Document document;
    document.title = "caf\xe9";
    EXPECT_EQ(lab::parse_session(lab::write_session(document))->document.title, "caf\xef\xbf\xbd");
}

TEST(Settings, AreSetAsTheCommandLineDoes) {
    lab::AttentionSettings settings, without_projections;
    without_projections.projections = false;
    const auto set = [&](const char* key, const char* value) {
        const auto done = lab::set_attention_key(settings, key, value);
        return done ? std::string() : done.error();
    };
    EXPECT_EQ(set("mask", "causal"), "");
    EXPECT_EQ(set("scale", "0.25"), "");
    EXPECT_EQ(set("round_weights", "2"), "");
    EXPECT_EQ(set("projections", "false"), "");
    EXPECT_EQ(settings.mask, lab::MaskKind::causal);
    EXPECT_EQ(settings.scale, 0.25f);
    EXPECT_EQ(settings.round_weights, 2);
    EXPECT_FALSE(settings.projections);
    EXPECT_EQ(set("scale", "rsqrt_d_k"), "");
    EXPECT_EQ(set("mask", "\"none\""), "");
    EXPECT_EQ(set("round_weights", "null"), "");
    EXPECT_EQ(settings, without_projections);
    EXPECT_EQ(set("document_lengths", "[3, 2]"), "");
    EXPECT_EQ(settings.document_lengths, (std::vector<int>{3, 2}));
    EXPECT_EQ(set("document_lengths", "null"), "");
    EXPECT_EQ(set("rope_pairs", "interleaved"), "");
    EXPECT_EQ(settings.rope.pairs, lab::RopePairs::interleaved);
    EXPECT_EQ(set("rope_pairs", "half"), "");
    EXPECT_EQ(settings, without_projections);
    EXPECT_EQ(set("scale", "large"), "attention.scale is \"large\" but must be \"rsqrt_d_k\" or a number");
    EXPECT_EQ(set("colour", "red"), "there is no setting 'colour' but projections, scale, normalization and 27 more");
    EXPECT_EQ(set("rope", "10"),
              "there is no setting 'rope' but rope_base, rope_pairs, rope_dims, rope_scaling and 26 more");
    EXPECT_EQ(settings, without_projections) << "an error leaves the settings as they were";
}

} // namespace
