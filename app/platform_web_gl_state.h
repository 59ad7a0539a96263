#pragma once

namespace lab {

// The browser has made a new WebGL context, in which nothing is set.
void forget_gl_state();

} // namespace lab
