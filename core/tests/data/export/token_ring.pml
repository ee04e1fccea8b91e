/* token_ring with stations = 3, written by Orbitscope for Spin 6.
 *
 * To check the claims, one at a time:
 *   spin -a token_ring.pml
 *   cc -O2 -w -DNOREDUCE -DNFAIR=2 -o pan pan.c
 *   ./pan -a -f -m10000000 -N works_with_token
 *   ./pan -a -f -m10000000 -N mutual_exclusion
 *   ./pan -a -f -m10000000 -N token_returns
 *   ./pan -a -f -m10000000 -N eventually_works
 *   ./pan -a -f -m10000000 -N hands_on
 *   ./pan -a -f -m10000000 -N everybody_works
 *   ./pan -a -m10000000 -N skips_none
 * `errors: 0` means that it holds; `spin -t -p -g token_ring.pml` shows an error.
 *
 * To count all states, and to find deadlocks (`invalid end state`):
 *   spin -DSTATES -o2 -a token_ring.pml
 *   cc -O2 -w -DNOREDUCE -DSAFETY -o pan pan.c
 *   ./pan -m10000000       (with -E deadlocks are passed over)
 * One state more is counted: the one before the initial values are chosen.
 *
 * Fairness: every process is weakly fair. For formulas (ltl) that is Spin's option -f; automata (never) say it
 * themselves and do without -f, which overlooks cycles of some of them.
 * Numbers have 32 bits here. A value outside its type, or an index outside its array, is an error that
 * Spin reports; an error in a guard that touches no array goes unseen.
 */

mtype = { idle, waiting, working };
#define none 255
/* division whose remainder is never negative */
#define euclid_rem(a, b) ((((a) % (b)) + (b) * (b)) % (b))
#define euclid_div(a, b) (((a) - euclid_rem(a, b)) / (b))

byte holder;
mtype station_st[3] = idle;
bool ready = false;
/* the process that executed last, for the claims; Spin's _last is no part of its states */
#ifdef STATES
#define note_who skip
#else
byte who = none;
#define note_who who = _pid
#endif

proctype station(byte self) {
  do
  /* rest: (self.st == idle) and (holder != self) -> self.st := idle */
  :: d_step { station_st[self] == idle && holder != self -> note_who; station_st[self] = idle }
  /* want: self.st == idle -> self.st := waiting */
  :: d_step { station_st[self] == idle -> note_who; station_st[self] = waiting }
  /* work: (self.st == waiting) and (holder == self) -> self.st := working */
  :: d_step { station_st[self] == waiting && holder == self -> note_who; station_st[self] = working }
  /* done: self.st == working -> self.st := idle, holder := next(self) */
  :: d_step { station_st[self] == working -> note_who; station_st[self] = idle; holder = (self + 1) % 3 }
  /* pass: (self.st == idle) and (holder == self) -> holder := next(self) */
  :: d_step { station_st[self] == idle && holder == self -> note_who; holder = (self + 1) % 3 }
  od
}

init { atomic {
  if :: holder = 0 :: holder = 1 :: holder = 2 fi;
  ready = true;
  run station(0);
  run station(1);
  run station(2);
#ifndef STATES
  run stutter();
#endif
} }

/* whether a process of `station` has a step */
#define station_enabled(self) ((station_st[self] == idle && holder != self) || station_st[self] == idle || (station_st[self] == waiting && holder == self) || station_st[self] == working || (station_st[self] == idle && holder == self))

#ifndef STATES

/* A state without steps repeats for ever. Spin does that by itself, but with -f it then overlooks some cycles. */
proctype stutter() { do :: d_step { timeout -> note_who; skip } od }

ltl works_with_token { (!ready) U (ready && ([] (((!(station_st[0] == working) || holder == 0) && (!(station_st[1] == working) || holder == 1) && (!(station_st[2] == working) || holder == 2)) != 0))) }

ltl mutual_exclusion { (!ready) U (ready && ([] ((station_st[0] == working) + (station_st[1] == working) + (station_st[2] == working) <= 1))) }

/* token_returns: s = station[0], for all 3 choices that symmetry makes alike */
ltl token_returns { (!ready) U (ready && ([] (<> (holder == 0)))) }

/* eventually_works: s = station[0], for all 3 choices that symmetry makes alike */
ltl eventually_works { (!ready) U (ready && ([] ((station_st[0] == waiting) -> (<> (station_st[0] == working))))) }

/* hands_on: s = station[0], for all 3 choices that symmetry makes alike */
ltl hands_on { (!ready) U (ready && ([] ((station_st[0] == working) -> ((station_st[0] == working) U (holder == 1))))) }

/* everybody_works: s = station[0], for all 3 choices that symmetry makes alike */
ltl everybody_works { (!ready) U (ready && ([] (<> (station_st[0] == working)))) }

/* `token_can_come` is left out: Spin has no CTL: it checks computations, not trees. */

/* `token_must_come` is left out: Spin has no CTL: it checks computations, not trees. */

/* skips_none: s = station[0], for all 3 choices that symmetry makes alike */
never skips_none { /* accepts the computations that violate the property */
start:
  do
  :: !ready -> goto start
  :: ready -> goto a
  :: ready && holder == 0 -> goto b
  od;
a:
  do
  :: true -> goto a
  :: holder == 0 -> goto b
  od;
b:
  do
  :: holder == 0 -> goto b
  :: holder != 0 && holder != 1 -> goto c
  od;
c:
  do
  :: who == 1 || !station_enabled(0) -> goto c_2
  :: true -> goto c_1
  od;
c_2:
  do
  :: who == 2 || !station_enabled(1) -> goto c_3
  :: true -> goto c_2
  od;
c_1:
  do
  :: who == 1 || !station_enabled(0) -> goto c_2
  :: true -> goto c_1
  od;
c_3:
  do
  :: who == 3 || !station_enabled(2) -> goto accept_c
  :: true -> goto c_3
  od;
accept_c:
  do
  :: who == 1 || !station_enabled(0) -> goto c_2
  :: true -> goto c_1
  od;
}

#endif
