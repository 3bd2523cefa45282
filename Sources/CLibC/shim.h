// What Linux's C library has and Swift's import of it leaves out.

// From unistd.h, where it is declared for _GNU_SOURCE alone.
extern int syncfs(int descriptor);

#include <fcntl.h>
#include <malloc.h>

// O_PATH, which fcntl.h defines for _GNU_SOURCE alone.
static const int openPathFlag = __O_PATH;
