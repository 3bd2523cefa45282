#include "curl_shim.h"

#include <curl/curl.h>

int64_t prep_curl_parse_http_date(const char *text) { return curl_getdate(text, NULL); }
