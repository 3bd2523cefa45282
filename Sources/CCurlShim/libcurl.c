#include "libcurl.h"

#include <pthread.h>

#include "dynamic_library.h"

libcurl_functions libcurl;
static bool is_loaded;

static void load(void) {
#if defined(__APPLE__)
#define SET(name) libcurl.name = curl_##name;
    LIBCURL_FUNCTIONS(SET)
    is_loaded = true;
#else
#define NAME(name) "curl_" #name,
    // Debian's variant with GnuTLS has a name of its own.
    static const char *const file_names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", NULL};
    static const char *const names[] = {LIBCURL_FUNCTIONS(NAME)};
    is_loaded = prep_load_functions(file_names, names, sizeof names / sizeof *names, &libcurl);
#endif
}

bool prep_load_libcurl(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}
