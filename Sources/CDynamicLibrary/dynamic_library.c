#include "dynamic_library.h"

#include <dlfcn.h>
#include <string.h>

bool prep_load_functions(const char *const *file_names, const char *const *names, size_t count, void *functions) {
    void *library = NULL;
    for (; !library && *file_names; file_names++) library = dlopen(*file_names, RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(library, names[i]);
        if (!function) return false;
        memcpy((char *)functions + i * sizeof function, &function, sizeof function);
    }
    return true;
}
