#include "app/session/settings_text.h"

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
        const Document document = preset_document(preset.name);
        for (const Setting& setting : all_settings(document.attention)) {
            for (const SettingChoice& choice : setting.choices) {
                EXPECT_EQ(refusal(document, SetAttention{choice.attention}), "") << preset.name << " " << choice.title;
            }
        }
    }
}

TEST(Settings, ChoosingWhatIsChosenChangesNothing) {
    for (const PresetInfo& preset : presets()) {
        const AttentionSettings attention = preset_document(preset.name).attention;
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

TEST(Settings, AnUnusualRoundingIsListedToo) {
    AttentionSettings attention;
    attention.round_weights = 6;
    const std::vector<Setting> settings = all_settings(attention);
    const Setting& rounding = named(settings, "Round weights");
    EXPECT_EQ(rounding.choices[static_cast<std::size_t>(rounding.chosen)].title, "6 decimals");
}

} // namespace

} // namespace lab::test
