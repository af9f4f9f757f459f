/* The functions that programs for GenMC use, for programs that are checked by Mazurka.

   Annotations that only make GenMC faster have no effect: the code inside them runs as it is. */

#ifndef MAZURKA_GENMC_H
#define MAZURKA_GENMC_H

#ifdef __cplusplus
extern "C" {
#endif

/* Abandons the execution if the condition does not hold. */
void __VERIFIER_assume(int);

int __VERIFIER_nondet_int(void);

/* Hints about loops. */
void __VERIFIER_loop_begin(void);
void __VERIFIER_loop_bound(int);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int);

/* Hints about accesses. */
#define __VERIFIER_annotated(code) __extension__({ code; })
#define __VERIFIER_local_write(code) __VERIFIER_annotated(code)
#define __VERIFIER_local_CAS(code) __VERIFIER_annotated(code)
#define __VERIFIER_final_write(code) __VERIFIER_annotated(code)
#define __VERIFIER_final_CAS(code) __VERIFIER_annotated(code)
#define __VERIFIER_helped_CAS(code) __VERIFIER_annotated(code)
#define __VERIFIER_helping_CAS(code) __VERIFIER_annotated(code)
#define __VERIFIER_speculative_read(code) __VERIFIER_annotated(code)
#define __VERIFIER_confirming_read(code) __VERIFIER_annotated(code)
#define __VERIFIER_confirming_CAS(code) __VERIFIER_annotated(code)
#define __VERIFIER_optional(code)                                                                  \
  do {                                                                                             \
    code;                                                                                          \
  } while (0)

/* Hazard pointers. `__VERIFIER_hp_protect` takes the address of the pointer that it loads. A block
   that is retired is freed as soon as no hazard pointer protects it. */
typedef struct {
  void *next, *block;
} __VERIFIER_hp_t;

void *__VERIFIER_hazptr_alloc(void);
void *__mazurka_hazptr_load(void *, void **);
void __VERIFIER_hazptr_clear(void *);
void __VERIFIER_hazptr_free(void *);
void __VERIFIER_hazptr_retire(void *);

#define __VERIFIER_hp_alloc() ((__VERIFIER_hp_t *)__VERIFIER_hazptr_alloc())
#define __VERIFIER_hp_protect(hp, pointer) __mazurka_hazptr_load((hp), (void **)(pointer))
#define __VERIFIER_hp_clear(hp) __VERIFIER_hazptr_clear(hp)
#define __VERIFIER_hp_free(hp) __VERIFIER_hazptr_free(hp)
#define __VERIFIER_hp_retire(block) __VERIFIER_hazptr_retire((void *)(block))

#ifdef __cplusplus
}
#endif

#endif
