#pragma once

namespace lab {

// Which of the r rotated dimensions turn together: (m, m + r/2), as in Llama and GPT-NeoX, or (2m, 2m + 1), as in RoFormer and GPT-J.
enum class RopePairs { half, interleaved };

} // namespace lab
