#include <limits>
#include <utility>

#include "engine/formats/json_attention.h"
#include "engine/formats/json_fields.h"
#include "engine/formats/json_tensor.h"
#include "engine/formats/session.h"
#include "engine/formats/session_names.h"
#include "engine/initialisers.h"

namespace lab {

namespace {

constexpr WholeNumbers kSkips{0, static_cast<std::int64_t>(kMaxDraws)};
constexpr WholeNumbers kEmbeddingCounts{1, std::numeric_limits<int>::max()};

// Keeps a key that nobody knows, in `section` of the unknown keys, and says so.
void keep_unknown(Reading& reading, Json& section, const std::string& parent, const std::string& key,
                  const Json& value) {
    section[key] = value;
    reading.notes.push_back(path_of(parent, key) + " is not known to this version; it is kept on saving");
}

// The unknown keys of one part of the file, such as `attention`; none of it is left where there are none.
class UnknownSection {
  public:
    UnknownSection(Json& parent, std::string name) : parent_(parent), name_(std::move(name)) {}
    ~UnknownSection() {
        if (!keys.empty()) parent_[name_] = std::move(keys);
    }
    UnknownSection(const UnknownSection&) = delete;
    UnknownSection& operator=(const UnknownSection&) = delete;

    Json keys = Json::object();

  private:
    Json& parent_;
    std::string name_;
};

bool read_format(Reading& reading, const Json& root) {
    if (!read_object(reading, root, "the session")) return false;
    const auto format = root.find("format");
    if (format == root.end())
        return reading.fail("format is missing but must be \"" + std::string(kSessionFormat) + "\"");
    if (*format != kSessionFormat) {
        return reading.fail("format is " + describe(*format) + " but must be \"" + std::string(kSessionFormat) + "\"");
    }
    const std::string this_version = std::to_string(kSessionVersion);
    const auto version = root.find("version");
    if (version == root.end()) return reading.fail("version is missing but must be " + this_version);
    if (!version->is_number()) return reading.fail("version is " + describe(*version) + " but must be " + this_version);
    if (version->get<double>() > kSessionVersion) {
        return reading.fail("version is " + describe(*version) + " but this program reads up to version " +
                            this_version);
    }
    if (*version != kSessionVersion) {
        return reading.fail("version is " + describe(*version) + " but must be " + this_version);
    }
    return true;
}

bool read_tensors(Reading& reading, const Json& tensors, Document& document) {
    if (!read_object(reading, tensors, "tensors")) return false;
    UnknownSection unknown(reading.unknown, "tensors");
    for (const auto& [name, value] : tensors.items()) {
        if (!is_document_tensor(name)) {
            keep_unknown(reading, unknown.keys, "tensors", name, value);
        } else if (!read_tensor(reading, value, path_of("tensors", name), name == "mask", document.tensors[name])) {
            return false;
        }
    }
    return true;
}

bool read_attention(Reading& reading, const Json& attention, Document& document) {
    if (!read_object(reading, attention, "attention")) return false;
    UnknownSection unknown(reading.unknown, "attention");
    for (const auto& [key, value] : attention.items()) {
        if (read_attention_key(reading, key, value, document.attention)) continue;
        if (reading.error) return false;
        keep_unknown(reading, unknown.keys, "attention", key, value);
    }
    return true;
}

bool read_init(Reading& reading, const Json& value, const std::string& path, std::string& out) {
    if (!read_string(reading, value, path, out)) return false;
    if (find_initialiser(out) != nullptr) return true;
    std::string known;
    for (const InitialiserInfo& info : initialisers()) known += (known.empty() ? "" : ", ") + info.name;
    return reading.fail(path + " is " + describe(value) + " but must be one of " + known);
}

// One entry of made_by, such as {"init": "rand", "seed": 123, "skip": 6}.
bool read_made_by_key(Reading& reading, const std::string& key, const Json& value, const std::string& path,
                      MadeBy& made) {
    std::int64_t whole = 0;
    float number = 0.0f;
    if (key == "init") return read_init(reading, value, path, made.init);
    if (key == "seed") return read_seed(reading, value, path, made.seed);
    if (key == "skip") return read_whole(reading, value, path, kSkips, made.skip);
    if (key == "value") {
        if (!read_float(reading, value, path, number)) return false;
        made.value = number;
        return true;
    }
    if (key == "n_embeddings") {
        if (!read_whole(reading, value, path, kEmbeddingCounts, whole)) return false;
        made.n_embeddings = static_cast<int>(whole);
        return true;
    }
    return false;
}

bool read_made_by_entry(Reading& reading, const Json& entry, const std::string& path, Json& unknown, MadeBy& made) {
    if (!read_object(reading, entry, path)) return false;
    for (const auto& [key, value] : entry.items()) {
        if (read_made_by_key(reading, key, value, path_of(path, key), made)) continue;
        if (reading.error) return false;
        keep_unknown(reading, unknown, path, key, value);
    }
    return !made.init.empty() || reading.fail(path + ".init is missing but must say how the tensor was filled");
}

bool read_made_by(Reading& reading, const Json& made_by, Document& document) {
    if (!read_object(reading, made_by, "made_by")) return false;
    UnknownSection unknown(reading.unknown, "made_by");
    for (const auto& [name, entry] : made_by.items()) {
        if (!is_document_tensor(name)) {
            keep_unknown(reading, unknown.keys, "made_by", name, entry);
            continue;
        }
        UnknownSection unknown_of_entry(unknown.keys, name);
        const std::string path = path_of("made_by", name);
        if (!read_made_by_entry(reading, entry, path, unknown_of_entry.keys, document.made_by[name])) return false;
        if (document.tensors.count(name) == 0) {
            reading.notes.push_back(path + " describes a tensor that is not there");
        }
    }
    return true;
}

bool read_words(Reading& reading, const Json& value, const std::string& path, Words& out) {
    std::vector<std::string> words;
    if (!read_strings(reading, value, path, words)) return false;
    out = std::move(words);
    return true;
}

bool read_key(Reading& reading, const std::string& key, const Json& value, Document& document) {
    if (key == "format" || key == "version") return true; // read before
    if (key == "title") return read_string(reading, value, key, document.title);
    if (key == "source") return read_strings(reading, value, key, document.source);
    if (key == "tokens") return read_words(reading, value, key, document.tokens);
    if (key == "context_tokens") return read_words(reading, value, key, document.context_tokens);
    if (key == "vocabulary") return read_words(reading, value, key, document.vocabulary);
    if (key == "gradient") return read_string(reading, value, key, document.gradient);
    if (key == "tensors" || key == "made_by") return true; // read after the others, in this order
    if (key == "attention") return read_attention(reading, value, document);
    keep_unknown(reading, reading.unknown, "", key, value);
    return true;
}

// What people drop onto a window instead of a session, by how its bytes begin; empty for anything else.
std::string_view other_format(std::string_view text) {
    constexpr std::pair<std::string_view, std::string_view> kBeginnings[] = {
        {"\x89PNG", "a PNG picture"},
        {"\xff\xd8\xff", "a JPEG picture"},
        {"GIF8", "a GIF picture"},
        {"%PDF", "a PDF document"},
        {"\x93NUMPY", "an array of NumPy's"},
        {"PK\x03\x04", "a zip archive (such as npz)"},
        {"\x1f\x8b", "compressed by gzip"},
        {"<", "HTML or XML"},
    };
    for (const auto& [beginning, name] : kBeginnings) {
        if (text.starts_with(beginning)) return name;
    }
    return {};
}

bool read_document(Reading& reading, const Json& root, Document& document) {
    if (!read_format(reading, root)) return false;
    for (const auto& [key, value] : root.items()) {
        if (!read_key(reading, key, value, document)) return false;
    }
    if (const auto tensors = root.find("tensors"); tensors != root.end()) {
        if (!read_tensors(reading, *tensors, document)) return false;
    }
    if (const auto made_by = root.find("made_by"); made_by != root.end()) {
        if (!read_made_by(reading, *made_by, document)) return false;
    }
    return true;
}

} // namespace

Result<SessionFile> parse_session(std::string_view text) {
    if (const std::string_view other = other_format(text); !other.empty())
        return Error{"the file is " + std::string(other) + " but a session is JSON text"};
    Result<Json> root = parse_json(text);
    if (!root) return Error{root.error()};
    Reading reading;
    SessionFile file;
    if (!read_document(reading, *root, file.document)) return *std::move(reading.error);
    if (!reading.unknown.empty()) file.document.unknown_keys = reading.unknown.dump();
    file.notes = std::move(reading.notes);
    return file;
}

Result<SessionFile> read_session(std::string_view text) {
    Result<SessionFile> file = parse_session(text);
    if (!file) return file;
    const Result<Done> checked = check_document(file->document);
    if (!checked) return Error{checked.error()};
    return file;
}

} // namespace lab
