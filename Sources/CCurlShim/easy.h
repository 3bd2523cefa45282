#pragma once

#include "curl_shim.h"
#include "libcurl.h"

struct prep_curl_easy {
    CURL *curl;
    struct curl_slist *headers;
    prep_curl_callbacks callbacks;
    CURLcode status; // first error of the setters, then the result of the transfer
    char error_buffer[CURL_ERROR_SIZE];
};
