/* A stand-in for libcuda.so.1 on machines without a GPU. Device memory is host memory. There is one stream.
   Work launched by pretend_launch takes the given time. Commands after cuStreamWaitValue32 stay queued until the word
   is set. Work launched by pretend_launch_elsewhere is outside the stream, and only cuCtxSynchronize waits for its end.
   Environment variables set its answers: PRETEND_INIT (return value of cuInit), PRETEND_CUDA (version of CUDA that the
   driver can run), PRETEND_DEVICES, PRETEND_MEMORY (bytes), PRETEND_WAIT (return value of cuStreamWaitValue32). */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <malloc.h>
#include <unistd.h>

#define DEPTH 1022 /* maximum number of queued commands; the next one makes the host wait */

typedef struct { long at; } event; /* in ns */

static long used, lost, device_at, elsewhere_at; /* used: bytes; lost: error code; *_at: end of work, in ns */
static volatile unsigned *word;    /* word that the stream waits for, or 0 */
static struct { event *recorded; long ns; } queued[DEPTH];
static int depth, deepest, letters;
static char history[1 << 16]; /* W: wait, E: event, L: launch, R: word was set */

static void note(char letter) { if (letters < (int)sizeof history - 1) history[letters++] = letter; }

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void begin(event *recorded, long ns, long t)
{
    device_at = (device_at > t ? device_at : t) + ns;
    if (recorded)
        recorded->at = device_at;
}

/* Let the device continue if the word is set. */
static void look(void)
{
    if (!word || !*word)
        return;
    note('R');
    word = 0;
    long t = now();
    for (int i = 0; i < depth; i++)
        begin(queued[i].recorded, queued[i].ns, t);
    depth = 0;
}

static void put(event *recorded, long ns)
{
    look();
    while (word && depth == DEPTH) {
        usleep(100);
        look();
    }
    if (!word) {
        begin(recorded, ns, now());
        return;
    }
    queued[depth].recorded = recorded;
    queued[depth++].ns = ns;
    deepest = depth > deepest ? depth : deepest;
}

static void wait_until_done(void)
{
    for (look(); word; look())
        usleep(100);
    while (now() < device_at)
        ;
}

void pretend_launch(long ns) { note('L'); put(0, ns); }

void pretend_launch_elsewhere(long ns)
{
    long t = now();
    elsewhere_at = (elsewhere_at > t ? elsewhere_at : t) + ns;
}

int pretend_deepest(void) { return deepest; }

const char *pretend_history(void)
{
    history[letters] = 0;
    letters = deepest = 0;
    return history;
}

static long setting(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

int cuInit(unsigned flags) { return setting("PRETEND_INIT", 0); }
int cuDriverGetVersion(int *version) { *version = setting("PRETEND_CUDA", 12040); return 0; }
int cuDeviceGetCount(int *count) { *count = setting("PRETEND_DEVICES", 1); return 0; }
int cuDeviceGet(int *device, int index) { *device = index; return 0; }
int cuDeviceGetByPCIBusId(int *device, const char *name) { *device = 0; return strcmp(name, "0000:00:00.0") ? 101 : 0; }
int cuDeviceGetName(char *name, int length, int device) { snprintf(name, length, "NVIDIA Pretence"); return 0; }
int cuDeviceGetUuid(char *uuid, int device) { memset(uuid, device + 1, 16); return 0; }
int cuDeviceTotalMem_v2(size_t *bytes, int device) { *bytes = setting("PRETEND_MEMORY", 1 << 30); return 0; }
int cuDeviceGetPCIBusId(char *name, int length, int device) { snprintf(name, length, "0000:00:00.0"); return 0; }

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    switch (attribute) {
    case 1: case 2: case 3: *value = 1024; return 0;
    case 4: *value = 64; return 0;
    case 8: *value = 49152; return 0;
    case 10: *value = 32; return 0;
    case 16: *value = 132; return 0;
    case 38: *value = 1 << 20; return 0;
    case 39: *value = 2048; return 0;
    case 75: *value = 9; return 0;
    case 76: *value = 0; return 0;
    case 81: *value = 233472; return 0;
    case 82: *value = 65536; return 0;
    case 97: *value = 232448; return 0;
    case 106: *value = 32; return 0;
    case 111: *value = 1024; return 0;
    }
    return 1;
}

int cuGetErrorName(int code, const char **text)
{
    *text = code == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : code == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : code == 803 ? "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH" : 0;
    return *text ? 0 : 1;
}

int cuGetErrorString(int code, const char **text)
{
    *text = code == 2 ? "out of memory" : code == 700 ? "an illegal memory access was encountered"
          : code == 803 ? "system has unsupported display driver / cuda driver combination" : 0;
    return *text ? 0 : 1;
}

int cuCtxGetCurrent(void **context) { *context = 0; return 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = 0; return 0; }
int cuCtxSetCurrent(void *context) { return 0; }

int cuCtxSynchronize(void)
{
    wait_until_done();
    while (now() < elsewhere_at)
        ;
    return lost;
}

int cuStreamSynchronize(void *stream) { wait_until_done(); return lost; }

int cuStreamWaitValue32_v2(void *stream, uintptr_t address, unsigned value, unsigned flags)
{
    look();
    if (setting("PRETEND_WAIT", 0))
        return setting("PRETEND_WAIT", 0);
    if (value != 1 || flags || word)
        return 1;
    note('W');
    word = (volatile unsigned *)address;
    return 0;
}

int cuMemAlloc_v2(uintptr_t *pointer, size_t bytes)
{
    if (used + (long)bytes > setting("PRETEND_MEMORY", 1 << 30))
        return 2;
    *pointer = (uintptr_t)aligned_alloc(512, (bytes + 511) / 512 * 512);
    used += malloc_usable_size((void *)*pointer);
    return 0;
}

int cuMemFree_v2(uintptr_t pointer)
{
    used -= malloc_usable_size((void *)pointer);
    free((void *)pointer);
    return 0;
}

int cuMemGetInfo_v2(size_t *free_bytes, size_t *total)
{
    *total = setting("PRETEND_MEMORY", 1 << 30);
    *free_bytes = *total - used;
    return 0;
}

int cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) { *pointer = malloc(bytes); return 0; }
int cuMemFreeHost(void *pointer) { free(pointer); return 0; }

int cuMemsetD8Async(uintptr_t pointer, unsigned char value, size_t bytes, void *stream)
{
    memset((void *)pointer, value, bytes);
    return 0;
}

int cuMemcpyHtoD_v2(uintptr_t to, const void *from, size_t bytes) { memcpy((void *)to, from, bytes); return 0; }
int cuMemcpyDtoH_v2(void *to, uintptr_t from, size_t bytes) { memcpy(to, (void *)from, bytes); return 0; }
int cuStreamCreate(void **made, unsigned flags) { *made = 0; return 0; }
int cuEventCreate(void **made, unsigned flags) { *made = malloc(sizeof(event)); return 0; }
int cuEventRecord(void *given, void *stream) { note('E'); put(given, 0); return 0; }
int cuEventSynchronize(void *given) { wait_until_done(); return lost; }

int cuEventElapsedTime(float *ms, void *from, void *to)
{
    *ms = (((event *)to)->at - ((event *)from)->at) * 1e-6;
    return 0;
}

int cuKernelGetFunction(void **function, void *kernel) { *function = (char *)kernel + 1000; return 0; }
int cuFuncGetAttribute(int *value, int attribute, void *function)
{
    *value = attribute == 0 ? 512 : attribute == 1 ? 2048 : attribute == 3 ? 16 : 40;
    return 0;
}

/* Set `blocks` to the number that fits into 48 warps, the limit for kernels with 40 registers per thread. */
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads, size_t dynamic)
{
    *blocks = 48 / ((threads + 31) / 32);
    return 0;
}

void pretend_lost(long code) { lost = code; }
long pretend_used(void) { return used; }
