#include <stdlib.h>

#include "easy.h"

struct prep_curl_multi {
    CURLM *curl;
};

static prep_curl_outcome outcome_of(CURLcode code) {
    switch (code) {
    case CURLE_OK: return PREP_CURL_COMPLETED;
    case CURLE_URL_MALFORMAT: return PREP_CURL_INVALID_URL;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_INTERFACE_FAILED:
#if LIBCURL_VERSION_NUM >= 0x074900
    case CURLE_PROXY:
#endif
        return PREP_CURL_CONNECT_FAILED;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ENGINE_NOTFOUND:
    case CURLE_SSL_ENGINE_SETFAILED:
    case CURLE_SSL_ENGINE_INITFAILED:
    case CURLE_USE_SSL_FAILED:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CRL_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
    case CURLE_SSL_INVALIDCERTSTATUS:
#if LIBCURL_VERSION_NUM >= 0x074d00
    case CURLE_SSL_CLIENTCERT:
#endif
        return PREP_CURL_TLS_FAILED;
    case CURLE_OPERATION_TIMEDOUT: return PREP_CURL_TIMED_OUT;
    // libcurl uses the first code for a response in HTTP/0.9. Unsupported URL schemes are rejected before the transfer.
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_WRITE_ERROR:
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_FILESIZE_EXCEEDED:
#if LIBCURL_VERSION_NUM >= 0x080600
    case CURLE_TOO_LARGE:
#endif
        return PREP_CURL_BAD_RESPONSE;
    case CURLE_ABORTED_BY_CALLBACK:
    case CURLE_READ_ERROR:
    case CURLE_SEND_FAIL_REWIND:
        return PREP_CURL_ABORTED;
    case CURLE_FAILED_INIT:
    case CURLE_NOT_BUILT_IN:
    case CURLE_OUT_OF_MEMORY:
    case CURLE_BAD_FUNCTION_ARGUMENT:
    case CURLE_UNKNOWN_OPTION:
        return PREP_CURL_OUT_OF_RESOURCES;
    // GOT_NOTHING, PARTIAL_FILE, SEND_ERROR, RECV_ERROR, SSL_SHUTDOWN_FAILED, HTTP2, HTTP2_STREAM, and codes of later
    // versions: the server did not complete its response.
    default: return PREP_CURL_CONNECTION_LOST;
    }
}

prep_curl_multi *prep_curl_multi_create(void) {
    if (!prep_load_libcurl()) return NULL;
    prep_curl_multi *multi = calloc(1, sizeof *multi);
    if (!multi) return NULL;
    multi->curl = libcurl.multi_init();
    if (!multi->curl) {
        free(multi);
        return NULL;
    }
    return multi;
}

void prep_curl_multi_destroy(prep_curl_multi *multi) {
    libcurl.multi_cleanup(multi->curl);
    free(multi);
}

bool prep_curl_multi_add(prep_curl_multi *multi, prep_curl_easy *easy) {
    CURLcode code = libcurl.easy_setopt(easy->curl, CURLOPT_HTTPHEADER, easy->headers);
    if (easy->status == CURLE_OK) easy->status = code;
    return easy->status == CURLE_OK && libcurl.multi_add_handle(multi->curl, easy->curl) == CURLM_OK;
}

void prep_curl_multi_remove(prep_curl_multi *multi, prep_curl_easy *easy) {
    libcurl.multi_remove_handle(multi->curl, easy->curl);
}

void prep_curl_multi_perform(prep_curl_multi *multi) {
    int running = 0;
    libcurl.multi_perform(multi->curl, &running);
}

void *prep_curl_multi_next_completed(prep_curl_multi *multi, prep_curl_outcome *ended) {
    int left = 0;
    for (CURLMsg *message; (message = libcurl.multi_info_read(multi->curl, &left));) {
        if (message->msg != CURLMSG_DONE) continue;
        CURLcode code = message->data.result;
        *ended = outcome_of(code);
        prep_curl_easy *easy = NULL;
        libcurl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &easy);
        easy->status = code;
        return easy->callbacks.context;
    }
    return NULL;
}

void prep_curl_multi_wait(prep_curl_multi *multi, int32_t timeout_ms) {
    libcurl.multi_poll(multi->curl, NULL, 0, timeout_ms, NULL);
}

void prep_curl_multi_wake(prep_curl_multi *multi) { libcurl.multi_wakeup(multi->curl); }
