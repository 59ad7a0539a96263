#include "engine/initialisers.h"

#include <cmath>
#include <gtest/gtest.h>

#include "tests/reference/random_reference.h"

namespace {

using lab::MadeBy;
using lab::Shape;

MadeBy how(const std::string& init, std::uint64_t seed = 0, std::int64_t skip = 0) {
    MadeBy made;
    made.init = init;
    made.seed = seed;
    made.skip = skip;
    return made;
}

Shape shape_of(const RandomReference& reference) {
    return reference.dims.size() == 1 ? Shape::vector(reference.dims[0])
                                      : Shape::matrix(reference.dims[0], reference.dims[1]);
}

lab::Tensor made(const MadeBy& by, const Shape& shape, const lab::FillContext& context = {}) {
    auto tensor = lab::make_tensor(by, shape, context);
    EXPECT_TRUE(tensor) << (tensor ? "" : tensor.error());
    return tensor ? *tensor : lab::Tensor(shape);
}

void expect_values(const RandomReference& reference, const std::vector<float>& numbers, float tolerance) {
    for (std::size_t i = 0; i < reference.indices.size(); ++i) {
        EXPECT_NEAR(numbers[static_cast<std::size_t>(reference.indices[i])], reference.values[i], tolerance)
            << reference.name << " " << shape_of(reference).to_text() << " of seed " << reference.seed;
    }
}

TEST(Initialisers, FillAsPyTorchDoes) {
    int count = 0;
    for (const RandomReference& reference : kRandomReferences) {
        if (lab::find_initialiser(reference.name) == nullptr || reference.name == "embedding") continue;
        const bool is_normal = reference.name.find("normal") != std::string::npos || reference.name == "randn";
        const auto numbers = made(how(reference.name, reference.seed), shape_of(reference), {}).values();
        if (reference.dims.size() > 1 || reference.name.rfind("rand", 0) == 0) {
            expect_values(reference, numbers, is_normal ? 2e-6f : 0.0f);
            ++count;
        }
    }
    EXPECT_EQ(count,
              3 * (8 + 3 + 8)); // seeds × (rand and randn, linear, the four of torch.nn.init at two sizes)
}

TEST(Initialisers, TheBiasOfALinearLayerFollowsItsWeight) {
    const RandomReference* weight = nullptr;
    int count = 0;
    for (const RandomReference& reference : kRandomReferences) {
        if (reference.name == "linear") weight = &reference;
        if (reference.name != "linear_bias") continue;
        const auto skip = static_cast<std::int64_t>(lab::draws(how("linear"), shape_of(*weight)));
        lab::FillContext context;
        context.fan_in = weight->dims[0];
        expect_values(reference, made(how("linear", reference.seed, skip), shape_of(reference), context).values(),
                      0.0f);
        ++count;
    }
    EXPECT_EQ(count, 9);
}

TEST(Initialisers, EmbeddingPicksTheTokensRows) {
    int count = 0;
    for (const RandomReference& reference : kRandomReferences) {
        const bool is_table = reference.name == "embedding_table";
        if (reference.name != "embedding" && !is_table) continue;
        lab::FillContext context;
        if (!is_table) context.token_ids = kEmbeddingRows;
        const auto numbers = made(how("embedding", reference.seed), shape_of(reference), context).values();
        expect_values(reference, numbers, 2e-6f);
        double sum = 0.0;
        for (float number : numbers) sum += static_cast<double>(number);
        EXPECT_NEAR(sum, reference.sum, 1e-2); // 150,000 numbers, each within 2e-6, errors of either sign
        ++count;
    }
    EXPECT_EQ(count, 6);
}

TEST(Initialisers, SkipGoesOnWhereTheTensorBeforeEnded) {
    for (const auto& info : lab::initialisers()) {
        MadeBy first = how(info.name, 42);
        first.n_embeddings = 50;
        const Shape shape = Shape::matrix(6, 4);
        const auto n_draws = static_cast<std::int64_t>(lab::draws(first, shape));
        EXPECT_EQ(n_draws > 0, info.needs_seed) << info.name;
        MadeBy second = how("rand", 42, n_draws);
        const auto after = made(second, Shape::vector(3)).values();
        const auto all = made(how("rand", 42), Shape::vector(static_cast<int>(n_draws) + 3)).values();
        EXPECT_EQ(after, std::vector<float>(all.end() - 3, all.end())) << info.name;
    }
}

TEST(Initialisers, PlainFills) {
    MadeBy constant = how("constant");
    constant.value = 2.5f;
    EXPECT_EQ(made(constant, Shape::vector(3)).values(), (std::vector<float>{2.5f, 2.5f, 2.5f}));
    EXPECT_EQ(made(how("zeros"), Shape::matrix(1, 2)).values(), (std::vector<float>{0.0f, 0.0f}));
    EXPECT_EQ(made(how("identity"), Shape::matrix(2, 3)).values(), (std::vector<float>{1, 0, 0, 0, 1, 0}));
    EXPECT_EQ(made(how("identity"), Shape::stack(2, 1, 2)).values(), (std::vector<float>{1, 0, 1, 0}));
}

TEST(Initialisers, HeadsApartAreDrawnAsHeadsSideBySide) {
    const lab::Tensor apart = made(how("linear", 3), Shape::stack(2, 5, 3));
    const lab::Tensor together = made(how("linear", 3), Shape::matrix(5, 6));
    for (int head = 0; head < 2; ++head) {
        for (int row = 0; row < 5; ++row) {
            for (int col = 0; col < 3; ++col) {
                EXPECT_EQ(apart.at({head, row, col}), together.at({0, row, head * 3 + col}));
            }
        }
    }
}

std::string error_of(const MadeBy& by, const Shape& shape, const lab::FillContext& context = {}) {
    const auto tensor = lab::make_tensor(by, shape, context);
    return tensor ? "" : tensor.error();
}

TEST(Initialisers, WhatCannotBeFilledIsSaid) {
    const Shape square = Shape::matrix(2, 2);
    EXPECT_EQ(error_of(how("uniform"), square),
              "'uniform' is no way to fill a tensor but zeros, constant, identity, rand, randn, linear, embedding, "
              "xavier_uniform, xavier_normal, kaiming_uniform, "
              "kaiming_normal are");
    EXPECT_EQ(error_of(how("rand"), Shape::matrix(0, 2)), "the tensor is 0 × 2 but there must be a number to fill");
    EXPECT_EQ(error_of(how("xavier_normal"), Shape::vector(4)),
              "'xavier_normal' fills a matrix, but the tensor is a vector of 4");
    EXPECT_EQ(error_of(how("rand", 1, -1), square), "skip is -1 but cannot be negative");
    EXPECT_EQ(error_of(how("rand", 1, 2'000'000'000), square),
              "this takes 2000000004 random numbers, but at most 1000000000 are drawn");
    const std::vector<int> ids = {1, 7};
    lab::FillContext context;
    context.token_ids = ids;
    MadeBy small = how("embedding");
    small.n_embeddings = 5;
    EXPECT_EQ(error_of(small, square, context), "the embedding has 5 rows but a token has id 7");
    EXPECT_EQ(error_of(small, Shape::matrix(3, 2), context), "there are 2 token ids but the tensor has 3 rows");
    EXPECT_EQ(error_of(small, Shape::matrix(6, 2)), "the embedding has 5 rows but the tensor has 6");
}

} // namespace
