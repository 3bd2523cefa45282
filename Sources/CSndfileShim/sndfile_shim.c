#include "sndfile_shim.h"

#include "dynamic_library.h"

#define FUNCTIONS(X) X(sf_open_virtual) X(sf_strerror) X(sf_readf_float) X(sf_close)

PREP_DEFINE_LIBRARY(FUNCTIONS, prep_sf_is_available, "libsndfile.so.1")

SNDFILE *prep_sf_open_virtual(SF_VIRTUAL_IO *callbacks, int mode, SF_INFO *info, void *user_data) {
    return library.sf_open_virtual(callbacks, mode, info, user_data);
}

const char *prep_sf_strerror(SNDFILE *file) { return library.sf_strerror(file); }

sf_count_t prep_sf_readf_float(SNDFILE *file, float *samples, sf_count_t frames) {
    return library.sf_readf_float(file, samples, frames);
}

int prep_sf_close(SNDFILE *file) { return library.sf_close(file); }
