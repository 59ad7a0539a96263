#include <algorithm>
#include <utility>

#include "engine/formats/json_attention.h"
#include "engine/formats/json_lines.h"
#include "engine/formats/json_list.h"
#include "engine/formats/json_tensor.h"
#include "engine/formats/number_text.h"
#include "engine/formats/session.h"
#include "engine/formats/session_names.h"
#include "engine/initialisers.h"

namespace lab {

namespace {

using Fields = std::vector<std::pair<std::string, std::string>>; // keys and their values as JSON text

std::string object_on_one_line(const Fields& fields) {
    std::string text = "{";
    for (const auto& [key, value] : fields) text += (text.size() == 1 ? "" : ", ") + json_string(key) + ": " + value;
    return text + "}";
}

void add_all(JsonLines& lines, const Fields& fields) {
    for (const auto& [key, value] : fields) lines.add(key, value);
}

void add_object(JsonLines& lines, const std::string& key, const Fields& fields) {
    JsonLines object(lines.begin(key), "  ");
    add_all(object, fields);
    object.end();
}

const Json& member(const Json& object, const std::string& key) {
    static const Json nothing = Json::object();
    const auto found = object.find(key);
    return found == object.end() || !found->is_object() ? nothing : *found;
}

void append_unknown(Fields& fields, const Json& unknown) {
    for (const auto& [key, value] : unknown.items()) fields.emplace_back(key, value.dump());
}

// The names among these that a session may hold, in the order in which it is written.
template <class Named> std::vector<std::string> in_written_order(const Named& by_name) {
    std::vector<std::string> names;
    for (const auto& [name, value] : by_name) {
        if (is_document_tensor(name)) names.push_back(name);
    }
    std::sort(names.begin(), names.end(), stands_before);
    return names;
}

void add_tensors(JsonLines& lines, const Document& document, const Json& unknown) {
    JsonLines tensors(lines.begin("tensors"), "  ");
    for (const std::string& name : in_written_order(document.tensors))
        append_json(tensors.begin(name), document.tensors.at(name), "    ");
    Fields fields;
    append_unknown(fields, unknown);
    add_all(tensors, fields);
    tensors.end();
}

Fields made_by_entry(const MadeBy& made, const Json& unknown) {
    Fields fields;
    const InitialiserInfo* info = find_initialiser(made.init);
    const bool needs_seed = info != nullptr && info->needs_seed;
    fields.emplace_back("init", json_string(made.init));
    if (needs_seed || made.seed != 0) fields.emplace_back("seed", std::to_string(made.seed));
    if (needs_seed || made.skip != 0) fields.emplace_back("skip", std::to_string(made.skip));
    if (made.value) fields.emplace_back("value", json_number(*made.value));
    if (made.n_embeddings) fields.emplace_back("n_embeddings", std::to_string(*made.n_embeddings));
    append_unknown(fields, unknown);
    return fields;
}

Fields made_by_fields(const Document& document, const Json& unknown) {
    Fields fields;
    for (const std::string& name : in_written_order(document.made_by)) {
        const MadeBy& made = document.made_by.at(name);
        fields.emplace_back(name, object_on_one_line(made_by_entry(made, member(unknown, name))));
    }
    for (const auto& [name, value] : unknown.items()) {
        if (!is_document_tensor(name)) fields.emplace_back(name, value.dump());
    }
    return fields;
}

} // namespace

std::string write_session(const Document& document) {
    Json unknown = Json::object();
    if (!document.unknown_keys.empty()) {
        if (Result<Json> parsed = parse_json(document.unknown_keys); parsed && parsed->is_object()) unknown = *parsed;
    }
    std::string text;
    text.reserve(json_size(document.tensors));
    JsonLines session(text, "");
    session.add("format", json_string(kSessionFormat));
    session.add("version", std::to_string(kSessionVersion));
    if (!document.title.empty()) session.add("title", json_string(document.title));
    if (!document.source.empty()) session.add("source", json_list(document.source));
    if (!document.tokens.empty()) session.add("tokens", json_list(document.tokens));
    if (!document.context_tokens.empty()) session.add("context_tokens", json_list(document.context_tokens));
    if (!document.vocabulary.empty()) session.add("vocabulary", json_list(document.vocabulary));
    add_tensors(session, document, member(unknown, "tensors"));
    Fields attention = attention_fields(document.attention);
    append_unknown(attention, member(unknown, "attention"));
    add_object(session, "attention", attention);
    if (!document.gradient.empty()) session.add("gradient", json_string(document.gradient));
    const Fields made_by = made_by_fields(document, member(unknown, "made_by"));
    if (!made_by.empty()) add_object(session, "made_by", made_by);
    for (const auto& [key, value] : unknown.items()) {
        if (key != "tensors" && key != "attention" && key != "made_by") session.add(key, value.dump());
    }
    session.end();
    text += "\n";
    return text;
}

} // namespace lab
