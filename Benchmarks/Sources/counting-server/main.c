// counting-server COUNT: answers GET /item/0 to /item/COUNT-1 on a free port of the loopback interface, and counts how
// often each was requested. Prints the port. At the end of its input it prints how many items were requested, how many
// of them more than once, and the largest number of connections that were open at the same time.
//
// One thread with epoll, so that it takes as little as possible of the time that is measured.
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_DESCRIPTORS = 4096, BUFFER_SIZE = 4096 };

static const char answer[] =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 61\r\n\r\n"
    "{\"success\":true,\"data\":{\"unread_count\":5,\"_padding\":\"xxxxx\"}}";

struct connection {
    char bytes[BUFFER_SIZE];
    size_t count;
};

static struct connection *connections[MAX_DESCRIPTORS];
static unsigned *counts;
static long item_count, open_count, most_open;

static void close_connection(int descriptor) {
    free(connections[descriptor]);
    connections[descriptor] = NULL;
    open_count -= 1;
    close(descriptor);
}

// Answers the complete requests in the buffer. Returns false if the connection must be closed.
static bool answer_requests(int descriptor, struct connection *connection) {
    char *end;
    while ((end = memmem(connection->bytes, connection->count, "\r\n\r\n", 4))) {
        static const char start[] = "GET /item/";
        if (memcmp(connection->bytes, start, sizeof start - 1) != 0) return false;
        const long item = strtol(connection->bytes + sizeof start - 1, NULL, 10);
        if (item < 0 || item >= item_count) return false;
        counts[item] += 1;
        if (send(descriptor, answer, sizeof answer - 1, MSG_NOSIGNAL) != sizeof answer - 1) return false;
        const size_t length = (size_t)(end + 4 - connection->bytes);
        memmove(connection->bytes, connection->bytes + length, connection->count - length);
        connection->count -= length;
    }
    return connection->count < BUFFER_SIZE;
}

static void read_requests(int descriptor) {
    struct connection *connection = connections[descriptor];
    const ssize_t count =
        recv(descriptor, connection->bytes + connection->count, BUFFER_SIZE - connection->count, 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count > 0) connection->count += (size_t)count;
    if (count <= 0 || !answer_requests(descriptor, connection)) close_connection(descriptor);
}

static void accept_connection(int poll, int listener) {
    const int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
    if (descriptor < 0) return;
    const int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    if (descriptor >= MAX_DESCRIPTORS || !(connections[descriptor] = calloc(1, sizeof **connections)) ||
        epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event)) {
        exit(1);
    }
    open_count += 1;
    if (open_count > most_open) most_open = open_count;
}

int main(int count, char **arguments) {
    item_count = count == 2 ? strtol(arguments[1], NULL, 10) : 0;
    if (item_count <= 0 || !(counts = calloc((size_t)item_count, sizeof *counts))) return 64;
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), poll = epoll_create1(0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    struct epoll_event listening = {.events = EPOLLIN, .data.fd = listener};
    struct epoll_event input = {.events = EPOLLIN, .data.fd = STDIN_FILENO};
    if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, MAX_DESCRIPTORS) ||
        getsockname(listener, (struct sockaddr *)&address, &length) ||
        epoll_ctl(poll, EPOLL_CTL_ADD, listener, &listening) || epoll_ctl(poll, EPOLL_CTL_ADD, STDIN_FILENO, &input)) {
        perror("counting-server");
        return 1;
    }
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    for (bool is_done = false; !is_done;) {
        struct epoll_event events[256];
        const int ready = epoll_wait(poll, events, 256, -1);
        for (int i = 0; i < ready; i += 1) {
            const int descriptor = events[i].data.fd;
            if (descriptor == listener) accept_connection(poll, listener);
            else if (descriptor == STDIN_FILENO) is_done = true;
            else read_requests(descriptor);
        }
    }
    long requested = 0, repeated = 0;
    for (long i = 0; i < item_count; i += 1) {
        requested += counts[i] > 0;
        repeated += counts[i] > 1;
    }
    printf("%ld %ld %ld\n", requested, repeated, most_open);
    return 0;
}
