// The functions of libsndfile that are used, with their names and meanings. libsndfile is loaded by the first call of
// `prep_sf_is_available`; the other functions need its result to be true.
#pragma once

#include <sndfile.h>
#include <stdbool.h>

// Returns whether libsndfile could be loaded. Can be called on any thread.
bool prep_sf_is_available(void);

SNDFILE *_Nullable prep_sf_open_virtual(
    SF_VIRTUAL_IO *_Nonnull callbacks, int mode, SF_INFO *_Nonnull info, void *_Nullable user_data);
const char *_Nullable prep_sf_strerror(SNDFILE *_Nullable file);
sf_count_t prep_sf_readf_float(SNDFILE *_Nonnull file, float *_Nonnull samples, sf_count_t frames);
int prep_sf_close(SNDFILE *_Nonnull file);
