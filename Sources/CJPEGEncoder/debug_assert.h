// Checks of invariants in debug builds. Private to the encoder.
#pragma once

#include <assert.h>

// SwiftPM defines DEBUG in debug builds. It does not define NDEBUG in release builds, where `assert` would stay.
#if defined(DEBUG)
#define DEBUG_ASSERT(condition) assert(condition)
#else
#define DEBUG_ASSERT(condition) ((void)0)
#endif
