#include <stdio.h>
#define MAX(a, b) \
  ((a) > (b) ? (a) : (b))
/* int hidden(void) {} */

typedef unsigned int word;
typedef int (*handler)(int, void *);

typedef struct {
  int x;
} point;

struct order {
  int id;
  struct { int a; } inner;
  char *name;
};

enum color { RED, GREEN = 2 };
static const int table[] = { 1, 2, 3 };
struct order *make_order(int id, const char *name);
extern int errno_like;

static inline int
add(int a,
    int b)
{
  char c = '{';
  if (a) { return b; }
  return a + b;
}

struct order *make_order(int id, const char *name) {
  return NULL;
}

#ifdef X
void windows(void) {}
#else
void others(void) { puts("}"); }
#endif
EXPORT_SYMBOL(add);
