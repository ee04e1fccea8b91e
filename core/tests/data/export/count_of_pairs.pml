/* count_of_pairs, written by Orbitscope for Spin 6.
 *
 * To check the claims, one at a time:
 *   spin -a count_of_pairs.pml
 *   cc -O2 -w -DNOREDUCE -DNFAIR=2 -o pan pan.c
 *   ./pan -a -f -m10000000 -N pairs
 *   ./pan -a -f -m10000000 -N apart
 *   ./pan -a -f -m10000000 -N sum
 *   ./pan -a -f -m10000000 -N falls
 * `errors: 0` means that it holds; `spin -t -p -g count_of_pairs.pml` shows an error.
 *
 * To count all states, and to find deadlocks (`invalid end state`):
 *   spin -DSTATES -o2 -a count_of_pairs.pml
 *   cc -O2 -w -DNOREDUCE -DSAFETY -o pan pan.c
 *   ./pan -m10000000       (with -E deadlocks are passed over)
 * One state more is counted: the one before the initial values are chosen.
 *
 * Fairness: every process is weakly fair. For formulas (ltl) that is Spin's option -f; automata (never) say it
 * themselves and do without -f, which overlooks cycles of some of them.
 * Numbers have 32 bits here. A value outside its type, or an index outside its array, is an error that
 * Spin reports; an error in a guard that touches no array goes unseen.
 */

#define none 255
/* division whose remainder is never negative */
#define euclid_rem(a, b) ((((a) % (b)) + (b) * (b)) % (b))
#define euclid_div(a, b) (((a) - euclid_rem(a, b)) / (b))

bool node_st[3];
bool ready = false;

proctype node(byte self) {
  do
  /* a: (count(x1 in node, x2 in node, x3 in 1..2: x1.st and (x2.st or (x3 == 2))) > 5) and self.st -> self.st := false */
  :: d_step { (((node_st[0] && node_st[0]) + (node_st[0] && (node_st[0] || true))) + ((node_st[0] && node_st[1]) + (node_st[0] && (node_st[1] || true))) + ((node_st[0] && node_st[2]) + (node_st[0] && (node_st[2] || true)))) + (((node_st[1] && node_st[0]) + (node_st[1] && (node_st[0] || true))) + ((node_st[1] && node_st[1]) + (node_st[1] && (node_st[1] || true))) + ((node_st[1] && node_st[2]) + (node_st[1] && (node_st[2] || true)))) + (((node_st[2] && node_st[0]) + (node_st[2] && (node_st[0] || true))) + ((node_st[2] && node_st[1]) + (node_st[2] && (node_st[1] || true))) + ((node_st[2] && node_st[2]) + (node_st[2] && (node_st[2] || true)))) > 5 && node_st[self] -> node_st[self] = false }
  od
}

init { atomic {
  if :: node_st[0] = false :: node_st[0] = true fi;
  if :: node_st[1] = false :: node_st[1] = true fi;
  if :: node_st[2] = false :: node_st[2] = true fi;
  ready = true;
  run node(0);
  run node(1);
  run node(2);
#ifndef STATES
  run stutter();
#endif
} }

#ifndef STATES

/* A state without steps repeats for ever. Spin does that by itself, but with -f it then overlooks some cycles. */
proctype stutter() { do :: d_step { timeout -> skip } od }

ltl pairs { (!ready) U (ready && ([] (((node_st[0] && node_st[0]) + (node_st[0] && node_st[1]) + (node_st[0] && node_st[2])) + ((node_st[1] && node_st[0]) + (node_st[1] && node_st[1]) + (node_st[1] && node_st[2])) + ((node_st[2] && node_st[0]) + (node_st[2] && node_st[1]) + (node_st[2] && node_st[2])) != 1))) }

ltl apart { (!ready) U (ready && ([] (true))) }

ltl sum { (!ready) U (ready && ([] ((node_st[0] + 2) + (node_st[1] + 2) + (node_st[2] + 2) <= 8))) }

ltl falls { (!ready) U (ready && (<> (((node_st[0] && node_st[0]) + (node_st[0] && node_st[1]) + (node_st[0] && node_st[2])) + ((node_st[1] && node_st[0]) + (node_st[1] && node_st[1]) + (node_st[1] && node_st[2])) + ((node_st[2] && node_st[0]) + (node_st[2] && node_st[1]) + (node_st[2] && node_st[2])) < 9))) }

#endif
