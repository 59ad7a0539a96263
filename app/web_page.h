#pragma once

#include "app/app.h"

namespace lab {

// The page's application, for the JavaScript interface (javascript.cpp).
App& page_app();

// What the page computes on.
ThreadPool& page_threads();

// Has the page drawn anew after a change that came from outside.
void ask_page_for_frames();

} // namespace lab
