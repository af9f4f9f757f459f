/* What libstdc++ keeps in its library of its containers: trees (std::map, std::set), lists, and the
   sizes of hash tables. The names are the mangled ones.

   The VM runs this as a part of the program, from containers.ll, which is made of it by
   `cargo xtask runtime`. */

typedef unsigned long size_t;

#define WEAK __attribute__((weak))

/* Trees. The header of a tree is a node as well: its parent is the root, its left and right are the
   first and the last node. */

struct node {
  int color; /* 0 is red */
  struct node *parent, *left, *right;
};

static struct node *lowest(struct node *n) {
  while (n->left)
    n = n->left;
  return n;
}

static struct node *highest(struct node *n) {
  while (n->right)
    n = n->right;
  return n;
}

static struct node *after(struct node *n) {
  if (n->right)
    return lowest(n->right);
  struct node *up = n->parent;
  while (n == up->right) {
    n = up;
    up = up->parent;
  }
  /* From the header itself, one comes back to the root. */
  return n->right != up ? up : n;
}

static struct node *before(struct node *n) {
  if (n->color == 0 && n->parent->parent == n)
    return n->right; /* the header */
  if (n->left)
    return highest(n->left);
  struct node *up = n->parent;
  while (n == up->left) {
    n = up;
    up = up->parent;
  }
  return up;
}

WEAK struct node *_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(struct node *n) { return after(n); }
WEAK const struct node *_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(struct node *n) { return after(n); }
WEAK struct node *_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(struct node *n) { return before(n); }
WEAK const struct node *_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(struct node *n) { return before(n); }

/* Puts `new` where `old` is, below the parent of that. */
static void replace(struct node *header, struct node *old, struct node *new) {
  struct node *up = old->parent;
  if (header->parent == old)
    header->parent = new;
  else if (up->left == old)
    up->left = new;
  else
    up->right = new;
  if (new)
    new->parent = up;
}

static void rotate(struct node *header, struct node *n, int to_the_left) {
  struct node *up = to_the_left ? n->right : n->left;
  struct node *moved = to_the_left ? up->left : up->right;
  replace(header, n, up);
  if (to_the_left) {
    n->right = moved;
    up->left = n;
  } else {
    n->left = moved;
    up->right = n;
  }
  n->parent = up;
  if (moved)
    moved->parent = n;
}

WEAK void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(
    _Bool left, struct node *n, struct node *parent, struct node *header) {
  n->parent = parent;
  n->left = n->right = 0;
  n->color = 0;
  if (left) {
    parent->left = n; /* of the header, too: it is the first one */
    if (parent == header) {
      header->parent = n;
      header->right = n;
    } else if (parent == header->left) {
      header->left = n;
    }
  } else {
    parent->right = n;
    if (parent == header->right)
      header->right = n;
  }
  while (n != header->parent && n->parent->color == 0) {
    struct node *up = n->parent, *above = up->parent;
    int on_left = up == above->left;
    struct node *uncle = on_left ? above->right : above->left;
    if (uncle && uncle->color == 0) {
      up->color = uncle->color = 1;
      above->color = 0;
      n = above;
      continue;
    }
    if (n == (on_left ? up->right : up->left)) {
      n = up;
      rotate(header, n, on_left);
    }
    n->parent->color = 1;
    above->color = 0;
    rotate(header, above, !on_left);
  }
  header->parent->color = 1;
}

/* Takes a node out. The tree stays in order; how even it is, only insertions care for. */
WEAK struct node *_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(
    struct node *n, struct node *header) {
  if (header->left == n)
    header->left = n->right ? lowest(n->right) : n->parent;
  if (header->right == n)
    header->right = n->left ? highest(n->left) : n->parent;
  if (!n->left) {
    replace(header, n, n->right);
  } else if (!n->right) {
    replace(header, n, n->left);
  } else {
    struct node *next = lowest(n->right);
    if (next->parent != n) {
      replace(header, next, next->right);
      next->right = n->right;
      next->right->parent = next;
    }
    replace(header, n, next);
    next->left = n->left;
    next->left->parent = next;
    next->color = n->color;
  }
  if (header->parent)
    header->parent->color = 1;
  return n;
}

/* Lists, each of which is a circle. */

struct link {
  struct link *next, *previous;
};

WEAK void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct link *self, struct link *at) {
  self->next = at;
  self->previous = at->previous;
  at->previous->next = self;
  at->previous = self;
}

WEAK void _ZNSt8__detail15_List_node_base9_M_unhookEv(struct link *self) {
  self->previous->next = self->next;
  self->next->previous = self->previous;
}

WEAK void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(struct link *at, struct link *first,
                                                               struct link *end) {
  if (at == end)
    return;
  struct link *last = end->previous;
  first->previous->next = end;
  end->previous = first->previous;
  first->previous = at->previous;
  at->previous->next = first;
  last->next = at;
  at->previous = last;
}

WEAK void _ZNSt8__detail15_List_node_base10_M_reverseEv(struct link *self) {
  struct link *at = self;
  do {
    struct link *next = at->next;
    at->next = at->previous;
    at->previous = next;
    at = next;
  } while (at != self);
}

WEAK void _ZNSt8__detail15_List_node_base4swapERS0_S1_(struct link *a, struct link *b) {
  struct link x = *a, y = *b;
  if (y.next == b) {
    a->next = a->previous = a;
  } else {
    *a = y;
    a->next->previous = a->previous->next = a;
  }
  if (x.next == a) {
    b->next = b->previous = b;
  } else {
    *b = x;
    b->next->previous = b->previous->next = b;
  }
}

/* Hash tables: how many buckets they have. */

struct policy {
  float load;
  size_t next_resize;
};
struct decision {
  _Bool rehash;
  size_t buckets;
};

static int is_prime(size_t n) {
  for (size_t i = 2; i * i <= n; i++)
    if (n % i == 0)
      return 0;
  return n > 1;
}

static size_t next_buckets(struct policy *self, size_t n) {
  if (n < 13)
    n = n < 2 ? 1 : 13;
  while (n > 1 && !is_prime(n))
    n++;
  self->next_resize = (size_t)((double)n * self->load);
  return n;
}

WEAK size_t _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(struct policy *self, size_t n) {
  return next_buckets(self, n);
}

WEAK struct decision _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(
    struct policy *self, size_t buckets, size_t elements, size_t more) {
  struct decision decision = {0, 0};
  size_t all = elements + more;
  if (all <= self->next_resize)
    return decision;
  if (self->next_resize == 0 && all < 11)
    all = 11;
  size_t least = (size_t)((double)all / self->load);
  if (least < buckets) {
    self->next_resize = (size_t)((double)buckets * self->load);
    return decision;
  }
  decision.rehash = 1;
  decision.buckets = next_buckets(self, least + 1 > 2 * buckets ? least + 1 : 2 * buckets);
  return decision;
}

WEAK size_t _ZSt11_Hash_bytesPKvmm(const unsigned char *bytes, size_t length, size_t seed) {
  size_t hash = seed ^ 14695981039346656037u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ bytes[i]) * 1099511628211u;
  return hash;
}
