#include "sndfile_shim.h"

#include <pthread.h>

#include "dynamic_library.h"

#define FUNCTIONS(X) X(sf_open_virtual) X(sf_strerror) X(sf_readf_float) X(sf_close)

#define POINTER(name) __typeof__(name) *name;
static struct { FUNCTIONS(POINTER) } library;
static bool is_loaded;

static void load(void) {
#if defined(__APPLE__)
#define SET(name) library.name = name;
    FUNCTIONS(SET)
    is_loaded = true;
#else
#define NAME(name) #name,
    static const char *const file_names[] = {"libsndfile.so.1", NULL};
    static const char *const names[] = {FUNCTIONS(NAME)};
    is_loaded = prep_load_functions(file_names, names, sizeof names / sizeof *names, &library);
#endif
}

bool prep_sf_is_available(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

SNDFILE *prep_sf_open_virtual(SF_VIRTUAL_IO *callbacks, int mode, SF_INFO *info, void *user_data) {
    return library.sf_open_virtual(callbacks, mode, info, user_data);
}

const char *prep_sf_strerror(SNDFILE *file) { return library.sf_strerror(file); }

sf_count_t prep_sf_readf_float(SNDFILE *file, float *samples, sf_count_t frames) {
    return library.sf_readf_float(file, samples, frames);
}

int prep_sf_close(SNDFILE *file) { return library.sf_close(file); }
