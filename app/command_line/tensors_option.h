#pragma once

#include <string>

#include "engine/formats/session.h"
#include "engine/result.h"

namespace lab {

// --tensors FILE.npz: the arrays that a session can hold become its tensors. What the session itself gives in another way gives
// way to them: inputs, token ids and projections to queries, keys and values, and the other way round. Notes say what was left out,
// and which arrays hold numbers that are not finite. An error says what cannot be read.
Result<Done> take_tensors(SessionFile& file, const std::string& path);

} // namespace lab
