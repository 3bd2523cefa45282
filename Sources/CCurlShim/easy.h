#pragma once

#include <curl/curl.h>

#include "CCurlShim.h"

struct prep_curl_easy {
    CURL *curl;
    struct curl_slist *headers;
    prep_curl_client client;
    CURLcode status; // of the setters, then of the transfer
    char error[CURL_ERROR_SIZE];
};
