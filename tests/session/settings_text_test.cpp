#include <algorithm>

#include "app/session/setting_groups.h"

#include "tests/session/support.h"

namespace lab::test {

namespace {

const Setting& named(const std::vector<Setting>& settings, const std::string& title) {
    for (const Setting& setting : settings) {
        if (setting.title == title) return setting;
    }
    ADD_FAILURE() << title;
    return settings.front();
}

TEST(Settings, ChoosingGivesWhatIsThenChosen) {
    const AttentionSettings start;
    for (std::size_t s = 0; s < all_settings(start).size(); ++s) {
        const Setting setting = all_settings(start)[s];
        for (std::size_t c = 0; c < setting.choices.size(); ++c) {
            const Setting chosen = all_settings(setting.choices[c].attention)[s];
            EXPECT_EQ(chosen.chosen, static_cast<int>(c)) << setting.title << ": " << setting.choices[c].title;
            EXPECT_FALSE(chosen.sentence().empty());
        }
    }
}

TEST(Settings, EveryChoiceOfEveryPresetCanBeComputed) {
    for (const PresetInfo& preset : presets()) {
        const Document document = opened_preset(preset.name);
        for (const Setting& setting : all_settings(document.attention)) {
            for (const SettingChoice& choice : setting.choices) {
                const std::string refused = refusal(document, SetAttention{choice.attention});
                // Inputs that serve as all three must be as wide as their heads: that is said instead.
                const bool serves = !choice.attention.projections && choice.attention.n_heads > 1;
                EXPECT_TRUE(refused.empty() || serves) << preset.name << " " << choice.title << ": " << refused;
            }
        }
    }
}

TEST(Settings, ChoosingWhatIsChosenChangesNothing) {
    for (const PresetInfo& preset : presets()) {
        const AttentionSettings attention = opened_preset(preset.name).attention;
        for (const Setting& setting : all_settings(attention)) {
            EXPECT_EQ(setting.choices[static_cast<std::size_t>(setting.chosen)].attention, attention) << setting.title;
        }
    }
}

TEST(Settings, NumbersCanBeEdited) {
    AttentionSettings attention;
    EXPECT_FALSE(named(all_settings(attention), "Scale").number.has_value());
    attention.scale = 0.25f;
    const std::optional<SettingNumber> scale = named(all_settings(attention), "Scale").number;
    ASSERT_TRUE(scale.has_value());
    EXPECT_EQ(scale->value, 0.25);
    EXPECT_EQ(scale->with(2).scale, 2.0f);
    EXPECT_FALSE(scale->is_passing);
    attention.scale = 1.0f; // "none"
    EXPECT_TRUE(named(all_settings(attention), "Scale").number->is_passing);
    attention.scale = 0.25f;
    attention.mask = MaskKind::sliding_window;
    attention.window = 2;
    const std::optional<SettingNumber> window = named(all_settings(attention), "Mask").number;
    ASSERT_TRUE(window.has_value());
    EXPECT_TRUE(window->is_whole);
    EXPECT_EQ(window->with(4.2).window, 4);
    EXPECT_EQ(window->with(4).scale, 0.25f);
    const std::vector<SettingChoice> masks = named(all_settings(attention), "Mask").choices;
    for (const SettingChoice& choice : masks) {
        EXPECT_EQ(choice.attention.window.has_value(), choice.attention.mask == MaskKind::sliding_window)
            << choice.title;
    }
}

// The document after every edit of a choice, which must succeed or say why in a sentence.
std::string chosen(Document& document, const SettingChoice& choice) {
    std::vector<Command> edits = choice.edits;
    if (edits.empty()) edits.push_back(SetAttention{choice.attention});
    for (const Command& edit : edits) {
        const Result<Document> result = lab::apply(document, edit);
        if (!result) return result.error();
        document = *result;
    }
    return {};
}

TEST(SettingGroups, EveryChoiceCanBeComputedAndIsThenChosen) {
    for (const char* preset : {"trainable", "sentence", "simplified-softmax"}) {
        const Document document = opened_preset(preset);
        const std::vector<SettingGroup> groups = setting_groups(document);
        for (std::size_t g = 0; g < groups.size(); ++g) {
            for (std::size_t s = 0; s < groups[g].settings.size(); ++s) {
                const Setting& setting = groups[g].settings[s];
                for (std::size_t c = 0; c < setting.choices.size(); ++c) {
                    Document now = document;
                    EXPECT_EQ(chosen(now, setting.choices[c]), "") << setting.title << " " << setting.choices[c].title;
                    EXPECT_FALSE(setting.choices[c].sentence.empty()) << setting.title;
                    const std::vector<SettingGroup> groups_now = setting_groups(now);
                    for (const Setting& after : groups_now[g].settings) {
                        if (after.title != setting.title) continue;
                        EXPECT_EQ(after.chosen, static_cast<int>(c)) << after.title;
                    }
                }
            }
        }
    }
}

TEST(SettingGroups, WhatHasNoChoicesSaysWhatItDoesInASentence) {
    Document document = after(opened_preset("trainable"), ResizeWidth{Width::d_k, 4});
    AttentionSettings settings = document.attention;
    settings.n_heads = 4;
    settings.n_kv_heads = 2;
    document = after(document, SetAttention{settings});
    int n_told = 0;
    for (const SettingGroup& group : setting_groups(document)) {
        for (const Setting& setting : group.settings) {
            const bool has_stepper = setting.choices.empty() || setting.title == "Keys and values";
            if (!has_stepper && !setting.takes_word) continue;
            EXPECT_EQ(setting.text.empty() ? ' ' : setting.text.back(), '.') << group.title << ": " << setting.title;
            ++n_told;
        }
    }
    EXPECT_EQ(n_told, 4) << "heads, groups, blocks, the next word";
}

TEST(SettingGroups, EveryNumberIsThereWhereItsChoiceIsAndCanBeEdited) {
    Document document = after(opened_preset("trainable"), ResizeWidth{Width::d_k, 4});
    AttentionSettings all = document.attention;
    all.n_heads = 4;
    all.n_kv_heads = 2;
    all.document_lengths = {2, 3, 1};
    all.nonpad_keys = 5;
    all.softcap = 20.0f;
    all.dropout = 0.25f;
    all.position = Position::rope;
    all.context_length = 6;
    all.blocks.n = 2;
    all.blocks.norm = Norm::rms_norm;
    document = after(document, SetAttention{all});
    int n_numbers = 0;
    for (const SettingGroup& group : setting_groups(document)) {
        EXPECT_NE(group.state, "1 head");
        for (const Setting& setting : group.settings) {
            std::vector<SettingNumber> numbers = setting.more_numbers;
            if (setting.number) numbers.push_back(*setting.number);
            for (const SettingNumber& number : numbers) {
                EXPECT_TRUE(number.with(number.value) == document.attention) << setting.title << " " << number.title;
                EXPECT_FALSE(number.with(number.value < number.greatest ? number.greatest : number.least) ==
                             document.attention)
                    << setting.title << " " << number.title;
                const AttentionSettings other = number.with(number.least);
                const bool cuts_off = other.n_heads != all.n_heads || other.blocks.n != all.blocks.n ||
                                      other.n_kv_heads != all.n_kv_heads;
                EXPECT_TRUE(number.is_stepped || !cuts_off) << "a drag would lose numbers: " << number.title;
                ++n_numbers;
            }
        }
    }
    EXPECT_EQ(n_numbers, 15);
}

TEST(SettingGroups, SayHowTheyStand) {
    Document document = opened_preset("trainable");
    EXPECT_EQ(groups_state(setting_groups(document)), "off");
    AttentionSettings all = document.attention;
    all.n_heads = 4;
    all.n_kv_heads = 2;
    all.position = Position::alibi;
    document = after(document, SetAttention{all});
    EXPECT_EQ(groups_state(setting_groups(document)), "4 heads, 2 groups, ALiBi");
}

SettingGroup gradients(const Document& document) { return setting_groups(document).back(); }

void choose(Document& document, const char* setting, const char* title) {
    for (const Setting& one : gradients(document).settings) {
        for (const SettingChoice& choice : one.choices) {
            if (one.title != setting || choice.title != title) continue;
            EXPECT_EQ(chosen(document, choice), "");
            return;
        }
    }
    ADD_FAILURE() << "there is no " << title << " of " << setting;
}

TEST(SettingGroups, AGradientIsChosenByKindTensorAndPlace) {
    Document document = opened_preset("trainable");
    EXPECT_EQ(gradients(document).state, "off");
    EXPECT_EQ(gradients(document).settings.size(), 1u) << "what is off takes no room";
    choose(document, "Gradient of", "a row");
    EXPECT_EQ(document.gradient, "context_vectors[0,:]");
    EXPECT_EQ(gradients(document).state, "gradient of context_vectors");
    const Setting tensor = gradients(document).settings.at(1);
    ASSERT_TRUE(tensor.number && tensor.more_numbers.empty()) << "a row has one number";
    document = after(document, tensor.number->edit(4));
    EXPECT_EQ(document.gradient, "context_vectors[4,:]");
    choose(document, "Tensor", "attention_weights");
    EXPECT_EQ(document.gradient, "attention_weights[4,:]");
    choose(document, "Gradient of", "a number");
    EXPECT_EQ(document.gradient, "attention_weights[4,0]");
    document = after(document, gradients(document).settings.at(1).more_numbers.at(0).edit(5));
    EXPECT_EQ(document.gradient, "attention_weights[4,5]");
    choose(document, "Gradient of", "the sum");
    EXPECT_EQ(document.gradient, "sum(attention_weights)");
    choose(document, "Gradient of", "the distance to a target");
    EXPECT_EQ(shape(document, "target"), Shape::matrix(6, 6));
    choose(document, "Gradient of", "off");
    EXPECT_EQ(document.gradient, "");
}

TEST(SettingGroups, AGradientOfAWordWhereWordsArePredicted) {
    Document document = opened_preset("trainable");
    EXPECT_EQ(gradients(document).settings.at(0).choices.size(), 5u);
    AttentionSettings settings = document.attention;
    settings.blocks.unembedding = Unembedding::own;
    document = after(document, SetAttention{settings});
    choose(document, "Gradient of", "a word's log-probability");
    EXPECT_EQ(document.gradient, "logprob(0," + document.vocabulary[0] + ")");
    choose(document, "Word", document.vocabulary[2].c_str());
    document = after(document, gradients(document).settings.at(1).number->edit(3));
    EXPECT_EQ(document.gradient, "logprob(3," + document.vocabulary[2] + ")");
    EXPECT_EQ(gradients(document).settings.at(1).chosen, 2);
}

TEST(SettingGroups, AnOutputProjectionThatIsNeededCannotBeTurnedOff) {
    const auto offers = [](const Document& document) {
        const std::vector<Setting> settings = setting_groups(document).front().settings;
        return std::any_of(settings.begin(), settings.end(),
                           [](const Setting& setting) { return setting.title == "Output projection"; });
    };
    Document document = opened_preset("trainable");
    EXPECT_TRUE(offers(document));
    AttentionSettings settings = document.attention;
    settings.blocks.n = 1;
    document = after(document, SetAttention{settings});
    EXPECT_FALSE(offers(document)) << "heads of 2 columns, a stream of 3";
    EXPECT_FALSE(refusal(document, RemoveTensor{"W_output"}).empty());
    document = after(document, ResizeWidth{Width::d_v, 3});
    EXPECT_TRUE(offers(document));
    EXPECT_EQ(refusal(document, RemoveTensor{"W_output"}), "");
}

TEST(SettingGroups, TokensThatAreCutAreCounted) {
    Document document = opened_preset("trainable");
    EXPECT_EQ(cut_tokens_text(document), "");
    document.attention.context_length = 4;
    EXPECT_EQ(cut_tokens_text(document), "4 of 6 tokens: context_length keeps the first 4.");
    document.attention.context_length = 6;
    EXPECT_EQ(cut_tokens_text(document), "");
}

TEST(SettingGroups, AreKeptUntilWhatTheyTellOfChanges) {
    Document document = opened_preset("trainable");
    KeptSettingGroups kept;
    kept.of(document, true);
    document = after(document, SetCell{"inputs", {0, 0, 0}, 7});
    EXPECT_EQ(groups_state(kept.of(document, true)), "off");
    EXPECT_EQ(kept.n_made(), 1) << "a number";
    AttentionSettings settings = document.attention;
    settings.n_heads = 2;
    document = after(document, SetAttention{settings});
    EXPECT_EQ(groups_state(kept.of(document, true)), "2 heads");
    document = after(document, AddTensor{"b_query"});
    kept.of(document, true);
    document = after(document, SetGradient{"sum(keys)"});
    kept.of(document, true);
    document = after(document, RenameToken{0, "My"});
    kept.of(document, true);
    EXPECT_EQ(kept.n_made(), 5);
}

TEST(Settings, AreMadeAnewWhereOneHasChanged) {
    AttentionSettings attention;
    KeptSettings kept;
    const Setting* const first = kept.of(attention).data();
    EXPECT_EQ(kept.of(attention).data(), first);
    EXPECT_EQ(kept.of(attention).size(), all_settings(attention).size());
    attention.round_weights = 2;
    const Setting& rounding = named(kept.of(attention), "Round weights");
    EXPECT_EQ(rounding.choices[static_cast<std::size_t>(rounding.chosen)].title, "2 decimals");
}

TEST(SettingGroups, DoNotTellOfAGradientThatIsNotShown) {
    const Document document = after(opened_preset("trainable"), SetGradient{"sum(keys)"});
    KeptSettingGroups kept;
    EXPECT_EQ(groups_state(kept.of(document, true)), "gradient of keys");
    EXPECT_EQ(groups_state(kept.of(document, false)), "off");
    EXPECT_EQ(kept.of(document, false).back().settings.front().chosen, 0) << "and it can be taken anew there";
    EXPECT_EQ(kept.n_made(), 2);
}

TEST(Settings, AnUnusualRoundingIsListedToo) {
    AttentionSettings attention;
    attention.round_weights = 6;
    const std::vector<Setting> settings = all_settings(attention);
    const Setting& rounding = named(settings, "Round weights");
    EXPECT_EQ(rounding.choices[static_cast<std::size_t>(rounding.chosen)].title, "6 decimals");
}

} // namespace

} // namespace lab::test
