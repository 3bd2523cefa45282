// Loads a library when the first of its functions is needed, so that a process that needs none does not pay for it:
// libcurl brings 28 other libraries. Apple's linker prepares libraries in advance, so there they are linked as usual.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Loads the first library that exists of the given file names, of which the last is NULL, and stores the addresses of
// its functions in `functions`, which is a structure of `count` function pointers in the order of `names`. Returns
// false if there is no library, or a function is missing. The library is never unloaded.
bool prep_load_functions(
    const char *_Nullable const *_Nonnull file_names, const char *_Nonnull const *_Nonnull names, size_t count,
    void *_Nonnull functions);
