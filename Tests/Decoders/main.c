// Runs the C decoders, kernels and the encoder on random images and on modified streams.
//
//   decoders SECONDS             runs each harness for its share of the time
//   decoders SECONDS NAME ROUND  repeats the round that a failure named
#include <inttypes.h>
#include <sanitizer/common_interface_defs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support.h"

typedef struct {
    const char *name;
    uint64_t (*round)(void);
    const uint64_t *compared;
    int share; // of the time
    uint64_t rounds, executions;
    double seconds;
} harness;

static harness harnesses[] = {
    {.name = "jpeg", .round = jpeg_round, .compared = &jpeg_compared, .share = 4},
    {.name = "png", .round = png_round, .compared = &png_compared, .share = 3},
    {.name = "kernels", .round = kernel_round, .compared = &kernel_compared, .share = 1},
    {.name = "encoder", .round = encoder_round, .compared = &encoder_compared, .share = 2},
};
enum { HARNESSES = sizeof harnesses / sizeof *harnesses };

static uint64_t seed = 1;
static const harness *running;

static void report_round(void) {
    if (!running) return;
    fprintf(stderr, "\nin round %" PRIu64 " of %s with SEED=%" PRIu64 "\n", running->rounds, running->name, seed);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// A round only depends on the seed, the harness and its number.
static void run(harness *harness) {
    random_seed(seed * 0x100000001B3 + (uint64_t)(harness - harnesses));
    random_seed(random_bits() + harness->rounds);
    running = harness;
    const double start = now();
    harness->executions += harness->round();
    harness->seconds += now() - start;
    harness->rounds++;
}

int main(int argc, char **argv) {
    const double seconds = argc > 1 ? atof(argv[1]) : 10, start = now();
    const char *seed_text = getenv("SEED");
    if (seed_text) seed = strtoull(seed_text, NULL, 10);
    __sanitizer_set_death_callback(report_round);
    if (argc == 4) {
        for (int i = 0; i < HARNESSES; i++) {
            if (strcmp(harnesses[i].name, argv[2]) != 0) continue;
            harnesses[i].rounds = strtoull(argv[3], NULL, 10);
            run(&harnesses[i]);
        }
        return 0;
    }
    // The one that had the least of its time goes on.
    while (now() - start < seconds) {
        harness *next = harnesses;
        for (int i = 1; i < HARNESSES; i++) {
            if (harnesses[i].seconds / harnesses[i].share < next->seconds / next->share) next = &harnesses[i];
        }
        run(next);
    }
    uint64_t all = 0;
    for (int i = 0; i < HARNESSES; i++) {
        const harness *done = &harnesses[i];
        printf("%-8s %12" PRIu64 " executions, ", done->name, done->executions);
        printf("%" PRIu64 " results compared\n", *done->compared);
        all += done->executions;
        if (*done->compared == 0) fail("nothing was compared");
    }
    printf("%" PRIu64 " executions in %.0f s with SEED=%" PRIu64 "\n", all, now() - start, seed);
    return 0;
}
