#include "tests/session/random_commands.h"

#include <iterator>

#include "app/session/decoding.h"
#include "app/session/optional_tensors.h"
#include "app/session/setting_groups.h"

namespace lab::test {

namespace {

const std::string kWords[] = {"Your", "tree", "step", "é", "zoo"};

const std::string& any_word(Dice& dice) { return kWords[dice.below(5)]; }

std::string any_tensor(Dice& dice, const Document& document) {
    if (document.tensors.empty() || dice.one_in(8)) return "mask";
    const int place = dice.below(static_cast<int>(document.tensors.size()));
    return std::next(document.tensors.begin(), place)->first;
}

// One setting changed, as a click does.
AttentionSettings one_click(Dice& dice, AttentionSettings settings) {
    Blocks& blocks = settings.blocks;
    switch (dice.below(20)) {
    case 0: settings.projections = !settings.projections; break;
    case 1:
        settings.normalization = static_cast<Normalization>(dice.below(5));
        settings.top_k = 1 + dice.below(3);
        break;
    case 2:
        settings.mask = static_cast<MaskKind>(dice.below(5));
        settings.window = 2;
        settings.prefix = 1;
        break;
    case 3:
        settings.document_lengths = dice.one_in(2) ? std::vector<int>() : std::vector<int>{1 + dice.below(3), 2};
        break;
    case 4: settings.nonpad_keys = dice.one_in(2) ? std::nullopt : std::optional<int>(1 + dice.below(5)); break;
    case 5: settings.sink = !settings.sink; break;
    case 6: settings.dropout = dice.one_in(2) ? 0.0f : 0.25f; break;
    case 7:
    case 8: settings.n_heads = 1 + dice.below(4); break;
    case 9: settings.n_kv_heads = dice.one_in(3) ? std::nullopt : std::optional<int>(1 + dice.below(4)); break;
    case 10: settings.softcap = dice.one_in(2) ? std::nullopt : std::optional<float>(5.0f); break;
    case 11:
    case 12: settings.position = static_cast<Position>(dice.below(6)); break;
    case 13: settings.context_length = dice.one_in(2) ? std::nullopt : std::optional<int>(1 + dice.below(6)); break;
    case 14:
    case 15: blocks.n = dice.below(3); break;
    case 16:
        blocks.norm = static_cast<Norm>(dice.below(3));
        blocks.final_norm = dice.one_in(2);
        break;
    case 17: blocks.mlp = static_cast<Mlp>(dice.below(5)); break;
    case 18: blocks.unembedding = static_cast<Unembedding>(dice.below(3)); break;
    default:
        blocks.residual = !blocks.residual;
        blocks.norm_position = static_cast<NormPosition>(dice.below(2));
        break;
    }
    return settings;
}

AttentionSettings random_settings(Dice& dice, const Document& document) {
    AttentionSettings settings = document.attention;
    if (dice.one_in(6)) settings = {};
    for (int i = dice.below(3); i >= 0; --i) settings = one_click(dice, settings);
    return settings;
}

Command random_optional(Dice& dice, const Document& document) {
    const std::vector<OptionalTensor> all = optional_tensors(document);
    if (all.empty() || dice.one_in(10)) return RemoveTensor{any_tensor(dice, document)};
    const OptionalTensor& one = all[static_cast<std::size_t>(dice.below(static_cast<int>(all.size())))];
    if (one.is_there) return RemoveTensor{one.name};
    return AddTensor{one.name};
}

Command random_decoding(Dice& dice, const Document& document) {
    Lab lab;
    if (!lab.perform(OpenDocument{document})) return SetTitle{any_word(dice)};
    lab.refresh();
    const Result<std::map<std::string, Tensor>> past = computed_past(document, lab.trace());
    return DecodeStep{any_word(dice), past ? *past : std::map<std::string, Tensor>()};
}

} // namespace

Command random_command(Dice& dice, const Document& document) {
    const std::string tensor = any_tensor(dice, document);
    const std::string inits[] = {"rand", "randn", "linear", "identity", "zeros"};
    const MadeBy how{inits[dice.below(5)], static_cast<std::uint64_t>(dice.below(3)), 0, {}, {}};
    switch (dice.below(20)) {
    case 0: return SetCells{tensor, {0, dice.below(4), 0}, {{1, 2}, {3, 4}}};
    case 1:
    case 2:
    case 3:
    case 4: return SetAttention{random_settings(dice, document)};
    case 5: return FillTensor{tensor, how};
    case 6: return FillProjections{how};
    case 7: return ResizeWidth{static_cast<Width>(dice.below(5)), 1 + dice.below(5)};
    case 8: return AddToken{dice.below(6), any_word(dice)};
    case 9: return RemoveToken{dice.below(6)};
    case 10: return RenameToken{dice.below(6), any_word(dice)};
    case 11: return MoveToken{dice.below(6), dice.below(6)};
    case 12: return SetSentence{"a sentence of " + any_word(dice), 5, 1 + dice.below(4)};
    case 13: return SetTitle{any_word(dice)};
    case 14:
    case 15: return random_optional(dice, document);
    case 16: return PaintMask{{{0, dice.below(4), dice.below(4)}}, dice.one_in(2)};
    case 17: return random_decoding(dice, document);
    case 18: return SetGradient{"context_vectors[" + std::to_string(dice.below(6)) + ",0]"};
    default: return SetCell{tensor, {0, dice.below(6), dice.below(4)}, static_cast<float>(dice.below(5))};
    }
}

} // namespace lab::test
