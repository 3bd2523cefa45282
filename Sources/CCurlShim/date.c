#include "CCurlShim.h"

#include <curl/curl.h>

int64_t prep_http_date(const char *text) { return curl_getdate(text, NULL); }
