/* A stand-in for an OpenCL driver, with one CPU device that runs nothing. VERSION is the platform's version. OUTCOME is
   `builds` (builds succeed), `fails` (builds fail like PoCL's for an unknown CPU), `aborts` (builds abort) or `loading`
   (the driver aborts while it is loaded). The table has the order of the Khronos header cl_icd.h. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { builds, fails, aborts, loading };
#ifndef VERSION
#define VERSION "3.0-rc2"
#endif

typedef struct { void **table; } object;
typedef int (*function)();

static void *table[256];
static object platform = {table}, device = {table}, context = {table}, program = {table};

static int tell(const void *value, size_t bytes, size_t room, void *into, size_t *needed)
{
    if (into)
        memcpy(into, value, bytes < room ? bytes : room);
    if (needed)
        *needed = bytes;
    return 0;
}

static int words(const char *text, size_t room, void *into, size_t *needed)
{
    return tell(text, strlen(text) + 1, room, into, needed);
}

static int one(object *it, unsigned room, object **into, unsigned *count)
{
    if (into && room)
        *into = it;
    if (count)
        *count = 1;
    return 0;
}

static int get_platforms(unsigned room, object **into, unsigned *count) { return one(&platform, room, into, count); }

static int get_devices(void *of, uint64_t type, unsigned room, object **into, unsigned *count)
{
    return one(&device, room, into, count);
}

static int platform_info(void *of, unsigned what, size_t room, void *into, size_t *needed)
{
    const char *text[] = {"FULL_PROFILE", "OpenCL 3.0 PoCL " VERSION "  Linux, Release, LLVM 14.0.6",
                          "Portable Computing Language", "nobody", "cl_khr_icd", "POCL"};
    unsigned which = what == 0x920 ? 5 : what - 0x900;
    return which < 6 ? words(text[which], room, into, needed) : -30;
}

static int device_info(void *of, unsigned what, size_t room, void *into, size_t *needed)
{
    object *its = &platform;
    uint64_t number = what == 0x1000 ? 2 : what == 0x1003 ? 3 : 64;
    size_t extents[] = {64, 64, 64};
    switch (what) {
    case 0x1005: return tell(extents, sizeof extents, room, into, needed);
    case 0x102B: return words("pthread-Pretence", room, into, needed);
    case 0x102C: case 0x102E: case 0x1030: case 0x103D: return words("", room, into, needed);
    case 0x102D: return words(VERSION, room, into, needed);
    case 0x102F: return words("OpenCL 3.0 PoCL HSTR: pthread-x86_64-unknown-linux-gnu-generic", room, into, needed);
    case 0x1031: return tell(&its, sizeof its, room, into, needed);
    default: return tell(&number, sizeof number < room ? sizeof number : room, room, into, needed);
    }
}

static int context_info(void *of, unsigned what, size_t room, void *into, size_t *needed)
{
    object *its = &device;
    return tell(&its, sizeof its, room, into, needed);
}

static object *create_context(const void *properties, unsigned n, void *devices, void *notify, void *user, int *error)
{
    *error = 0;
    return &context;
}

static object *create_program(void *of, unsigned n, const char **text, const size_t *lengths, int *error)
{
    *error = 0;
    return &program;
}

static int build(void)
{
    if (OUTCOME == aborts)
        abort();
    return OUTCOME == builds ? 0 : -11;
}

static int build_info(void *of, void *at, unsigned what, size_t room, void *into, size_t *needed)
{
    int status = OUTCOME == builds ? 0 : -2;
    if (what == 0x1181)
        return tell(&status, sizeof status, room, into, needed);
    return words(OUTCOME == builds || what != 0x1183 ? "" : "error: unknown target CPU 'generic'", room, into, needed);
}

static int program_info(void *of, unsigned what, size_t room, void *into, size_t *needed)
{
    object *its = &device;
    size_t length = 1;
    if (what == 0x1163)
        return tell(&its, sizeof its, room, into, needed);
    if (what == 0x1166 && into)
        **(char **)into = 'x';
    return what == 0x1166 ? tell("", 0, 0, NULL, needed) : tell(&length, what == 0x1162 ? 4 : 8, room, into, needed);
}

static int fine(void) { return 0; }
static int unknown(void) { return -59; }

int clIcdGetPlatformIDsKHR(unsigned room, object **into, unsigned *count) { return get_platforms(room, into, count); }

void *clGetExtensionFunctionAddress(const char *name)
{
    return strcmp(name, "clIcdGetPlatformIDsKHR") ? NULL : (void *)clIcdGetPlatformIDsKHR;
}

int clGetPlatformInfo(void *of, unsigned what, size_t room, void *into, size_t *needed)
{
    return platform_info(of, what, room, into, needed);
}

__attribute__((constructor)) static void start(void)
{
    if (OUTCOME == loading)
        abort();
    for (int i = 0; i < 256; i++)
        table[i] = (void *)unknown;
    void *ours[] = {(void *)get_platforms, (void *)platform_info, (void *)get_devices, (void *)device_info,
                    (void *)create_context};
    memcpy(table, ours, sizeof ours);
    table[6] = table[7] = table[28] = table[29] = (void *)fine;
    table[8] = (void *)context_info;
    table[26] = (void *)create_program;
    table[30] = (void *)build;
    table[32] = (void *)program_info;
    table[33] = (void *)build_info;
}
