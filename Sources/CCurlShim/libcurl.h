// The functions of libcurl. Private to the shim.
#pragma once

#include <curl/curl.h>
#include <stdbool.h>

#define LIBCURL_FUNCTIONS(X) \
    X(global_init) X(version_info) X(free) X(slist_append) X(slist_free_all) \
    X(url) X(url_cleanup) X(url_get) X(url_set) \
    X(easy_init) X(easy_cleanup) X(easy_setopt) X(easy_getinfo) X(easy_pause) X(easy_strerror) \
    X(multi_init) X(multi_cleanup) X(multi_add_handle) X(multi_remove_handle) X(multi_perform) X(multi_info_read) \
    X(multi_poll) X(multi_wakeup)

#define LIBCURL_POINTER(name) __typeof__(curl_##name) *name;
typedef struct {
    LIBCURL_FUNCTIONS(LIBCURL_POINTER)
} libcurl_functions;

// Set by `prep_load_libcurl`.
extern libcurl_functions libcurl;

// Loads libcurl if this is the first call. Returns false if it is missing. Can be called on any thread.
bool prep_load_libcurl(void);
