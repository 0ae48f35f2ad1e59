/*
 * Makes one call of a server fail, or ends the server at it, or makes syncs slow, in a program that is started with this
 * library in LD_PRELOAD. What to do stands in the file that CAIRN_FAULTS names, mapped into memory, so that a test can
 * change it at any time: see the struct. The points are those of fault-points.ts. Only the data file and its write-ahead
 * log and index are touched, and memory that the module whose path holds "better-sqlite3" asks for itself.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum point {
  LOG_WRITE = 1,
  LOG_SYNC = 2,
  DATA_WRITE = 4,
  DATA_SYNC = 8,
  INDEX_WRITE = 16,
  TRUNCATE = 32,
  ALLOCATE = 64,
  ANSWER = 128
};

/* Beside these, the errno that the call fails with. */
enum fault { KILL_BEFORE = -1, KILL_AFTER = -2 };

struct order {
  int32_t points;    /* which calls count */
  int32_t countdown; /* the call that brings this to 0 is hit; 0 for none */
  int32_t fault;     /* by this */
  int32_t hits;      /* how many calls have been hit */
  int32_t delay_ms;  /* how long each sync takes beside its own time */
};

extern void *__libc_malloc(size_t);
extern void *__libc_realloc(void *, size_t);

static struct order *order;
static volatile uintptr_t module_from, module_to;

__attribute__((constructor)) static void map_order(void) {
  const char *path = getenv("CAIRN_FAULTS");
  int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof *order, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (mapped != MAP_FAILED) order = mapped;
}

static void die(void) { kill(getpid(), SIGKILL); }

static int counts(int point) { return order != NULL && (order->points & point) != 0 && order->countdown > 0; }

/* Whether this very call is the one that is hit; what fails has its errno set. */
static int is_due(int point) {
  if (!counts(point)) return 0;
  if (__atomic_sub_fetch(&order->countdown, 1, __ATOMIC_SEQ_CST) != 0) return 0;
  __atomic_add_fetch(&order->hits, 1, __ATOMIC_SEQ_CST);
  if (order->fault == KILL_BEFORE) die();
  errno = order->fault;
  return 1;
}

/* The one of the points that belongs to the file; 0 for files that are none of the database's. */
static int choose(int file, int of_data, int of_log, int of_index) {
  char link[32] = "/proc/self/fd/", digits[12], path[4096];
  int length = 0, at = 14;
  for (int rest = file; rest > 0 || length == 0; rest /= 10) digits[length++] = '0' + rest % 10;
  while (length > 0) link[at++] = digits[--length];
  link[at] = 0;
  ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 0) return 0;
  path[size] = 0;
  const char *name = strrchr(path, '/');
  if (name == NULL) return 0;
  if (strcmp(name, "/cairn.db") == 0) return of_data;
  if (strcmp(name, "/cairn.db-wal") == 0) return of_log;
  return strcmp(name, "/cairn.db-shm") == 0 ? of_index : 0;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static ssize_t fail_write(ssize_t (*write_it)(int, const void *, size_t, off64_t), int file, const void *bytes,
                          size_t size, off64_t at) {
  int error = errno;
  /* Power fails in the middle of writes, too: what is left behind is torn. */
  if (error == EIO && size > 1) write_it(file, bytes, size / 2, at);
  errno = error;
  return -1;
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (real == NULL) real = REAL(pwrite64);
  if (!counts(DATA_WRITE | LOG_WRITE | INDEX_WRITE)) return real(file, bytes, size, at);
  int due = is_due(choose(file, DATA_WRITE, LOG_WRITE, INDEX_WRITE));
  if (due && order->fault > 0) return fail_write(real, file, bytes, size, at);
  ssize_t written = real(file, bytes, size, at);
  if (due) die();
  return written;
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) { return pwrite64(file, bytes, size, at); }

static int sync_file(int (*real)(int), int file) {
  if (order == NULL || (order->delay_ms == 0 && !counts(DATA_SYNC | LOG_SYNC))) return real(file);
  int point = choose(file, DATA_SYNC, LOG_SYNC, 0);
  if (point != 0 && order->delay_ms > 0) usleep(order->delay_ms * 1000);
  int due = is_due(point);
  if (due && order->fault > 0) return -1;
  int outcome = real(file);
  if (due) die();
  return outcome;
}

int fdatasync(int file) {
  static int (*real)(int);
  if (real == NULL) real = REAL(fdatasync);
  return sync_file(real, file);
}

int fsync(int file) {
  static int (*real)(int);
  if (real == NULL) real = REAL(fsync);
  return sync_file(real, file);
}

int ftruncate64(int file, off64_t size) {
  static int (*real)(int, off64_t);
  if (real == NULL) real = REAL(ftruncate64);
  if (!counts(TRUNCATE)) return real(file, size);
  int due = is_due(choose(file, TRUNCATE, TRUNCATE, TRUNCATE));
  if (due && order->fault > 0) return -1;
  int outcome = real(file, size);
  if (due) die();
  return outcome;
}

int ftruncate(int file, off_t size) { return ftruncate64(file, size); }

static int is_answer(const void *bytes, size_t size) {
  return counts(ANSWER) && size > 12 && memcmp(bytes, "HTTP/1.1 200", 12) == 0;
}

ssize_t write(int file, const void *bytes, size_t size) {
  static ssize_t (*real)(int, const void *, size_t);
  if (real == NULL) real = REAL(write);
  int due = is_answer(bytes, size) && is_due(ANSWER);
  ssize_t written = real(file, bytes, size);
  if (due) die();
  return written;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  static ssize_t (*real)(int, const struct iovec *, int);
  if (real == NULL) real = REAL(writev);
  int due = count > 0 && is_answer(parts->iov_base, parts->iov_len) && is_due(ANSWER);
  ssize_t written = real(file, parts, count);
  if (due) die();
  return written;
}

static int find_module(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  if (info->dlpi_name == NULL || strstr(info->dlpi_name, "better-sqlite3") == NULL) return 0;
  uintptr_t end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    uintptr_t last = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    if (last > end) end = last;
  }
  module_from = info->dlpi_addr;
  module_to = end;
  return 1;
}

static int is_from_database(void *caller) {
  if (!counts(ALLOCATE)) return 0;
  if (module_to == 0) dl_iterate_phdr(find_module, NULL);
  return (uintptr_t)caller >= module_from && (uintptr_t)caller < module_to;
}

void *malloc(size_t size) {
  if (is_from_database(__builtin_return_address(0)) && is_due(ALLOCATE)) return NULL;
  return __libc_malloc(size);
}

void *realloc(void *old, size_t size) {
  if (is_from_database(__builtin_return_address(0)) && is_due(ALLOCATE)) return NULL;
  return __libc_realloc(old, size);
}
