// Loads a library when the first of its functions is needed, so that a process that needs none does not pay for it. On
// Debian 12, libcurl and the 28 libraries that it needs add 4.1 ms and 4.3 MiB to the start of a process, and
// libsndfile and its eight 0.8 ms and 1 MiB. Apple's linker maps libraries in advance: there they are linked as usual.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Loads the library with the given file name, and stores the addresses of its functions in `functions`, which is a
// structure of `count` function pointers in the order of `names`. Returns false if the library or a function is
// missing. The library is never unloaded.
bool prep_load_functions(
    const char *_Nonnull file_name, const char *_Nonnull const *_Nonnull names, size_t count, void *_Nonnull functions);
