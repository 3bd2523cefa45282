// Loads a library when the first of its functions is needed, so that a process that needs none does not pay for it:
// libcurl brings 28 other libraries. Apple's linker prepares libraries in advance, so there they are linked as usual.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

// Loads the first library that exists of the given file names, of which the last is NULL, and stores the addresses of
// its functions in `functions`, which is a structure of `count` function pointers in the order of `names`. Returns
// false if there is no library, or a function is missing. The library is never unloaded.
bool prep_load_functions(
    const char *_Nullable const *_Nonnull file_names, const char *_Nonnull const *_Nonnull names, size_t count,
    void *_Nonnull functions);

// Defines `library`, a structure of pointers to the functions that `FUNCTIONS(X)` lists as `X(name)`, and the function
// `is_available`, which loads them when it is first called, on any thread, and returns whether that succeeded. The file
// names follow, the best one first. On Apple platforms the functions are linked.
#define PREP_DEFINE_LIBRARY(FUNCTIONS, is_available, ...) \
    static struct { \
        FUNCTIONS(PREP_LIBRARY_POINTER) \
    } library; \
    static bool is_library_loaded; \
    static void load_library(void) { PREP_LOAD_LIBRARY(FUNCTIONS, __VA_ARGS__) } \
    bool is_available(void) { \
        static pthread_once_t once = PTHREAD_ONCE_INIT; \
        pthread_once(&once, load_library); \
        return is_library_loaded; \
    }

#define PREP_LIBRARY_POINTER(name) __typeof__(name) *name;
#if defined(__APPLE__)
#define PREP_SET_LIBRARY_POINTER(name) library.name = name;
#define PREP_LOAD_LIBRARY(FUNCTIONS, ...) \
    FUNCTIONS(PREP_SET_LIBRARY_POINTER) \
    is_library_loaded = true;
#else
#define PREP_LIBRARY_FUNCTION_NAME(name) #name,
#define PREP_LOAD_LIBRARY(FUNCTIONS, ...) \
    static const char *const file_names[] = {__VA_ARGS__, NULL}; \
    static const char *const names[] = {FUNCTIONS(PREP_LIBRARY_FUNCTION_NAME)}; \
    is_library_loaded = prep_load_functions(file_names, names, sizeof names / sizeof *names, &library);
#endif
