#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lab {

// A list of words, a value. Copies share it until one of them becomes another, so that a history of a long text's documents holds its
// words once, and equal lists are mostly known to be without a look at them.
class Words {
  public:
    using value_type = std::string;
    using const_iterator = std::vector<std::string>::const_iterator;

    Words() = default;
    Words(std::vector<std::string> words) {
        if (!words.empty()) all_ = std::make_shared<List>(std::move(words));
    }
    Words(std::initializer_list<std::string> words) : Words(std::vector<std::string>(words)) {}

    const std::vector<std::string>& all() const {
        static const std::vector<std::string> none;
        return all_ ? all_->words : none;
    }
    operator const std::vector<std::string>&() const { return all(); }
    std::size_t size() const { return all().size(); }
    bool empty() const { return all().empty(); }
    const std::string& operator[](std::size_t i) const { return all()[i]; }
    const_iterator begin() const { return all().begin(); }
    const_iterator end() const { return all().end(); }

    void push_back(std::string word) { own().push_back(std::move(word)); }
    void insert(std::size_t at, std::string word) { own().insert(own().begin() + as_offset(at), std::move(word)); }
    void erase(std::size_t at) { own().erase(own().begin() + as_offset(at)); }
    void set(std::size_t at, std::string word) { own()[at] = std::move(word); }
    void assign(std::size_t n, const std::string& word) { *this = std::vector<std::string>(n, word); }
    void clear() { all_.reset(); }

    // How often a word stands in the list, and how often before a place. The list is counted once, when first asked; not by several threads.
    int n_alike(const std::string& word) const;
    int n_alike_before(std::size_t place) const;

    // Bytes of this list, and of what was counted, if the other does not share it.
    std::size_t bytes_not_shared_with(const Words& other) const;

    friend bool operator==(const Words& a, const Words& b) { return a.all_ == b.all_ || a.all() == b.all(); }

  private:
    struct Counts {
        std::unordered_map<std::string_view, int> of_words; // of the list, which stays as it is as long as its counts
        std::vector<int> before;                            // per place
    };
    struct List {
        explicit List(std::vector<std::string> all) : words(std::move(all)) {}
        std::vector<std::string> words;
        std::optional<Counts> counts;
    };
    const Counts& counts() const;

    static std::ptrdiff_t as_offset(std::size_t at) { return static_cast<std::ptrdiff_t>(at); }
    // To be changed: shared with nobody from then on.
    std::vector<std::string>& own() {
        if (!all_ || all_.use_count() > 1) all_ = std::make_shared<List>(all());
        all_->counts.reset();
        return all_->words;
    }

    std::shared_ptr<List> all_; // or none: no words
};

} // namespace lab
