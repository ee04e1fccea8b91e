/* initial, written by Orbitscope for Spin 6.
 *
 * To check the claims, one at a time:
 *   spin -a initial.pml
 *   cc -O2 -w -DNOREDUCE -DNFAIR=3 -o pan pan.c
 *   ./pan -a -f -m10000000 -N one_lent
 *   ./pan -a -f -m10000000 -N never_lent
 *   ./pan -a -f -m10000000 -N goes
 * `errors: 0` means that it holds; `spin -t -p -g initial.pml` shows an error.
 *
 * To count all states, and to find deadlocks (`invalid end state`):
 *   spin -DSTATES -o2 -a initial.pml
 *   cc -O2 -w -DNOREDUCE -DSAFETY -o pan pan.c
 *   ./pan -m10000000       (with -E deadlocks are passed over)
 * One state more is counted: the one before the initial values are chosen.
 *
 * Fairness: every process is weakly fair. For formulas (ltl) that is Spin's option -f; automata (never) say it
 * themselves and do without -f, which overlooks cycles of some of them.
 * Numbers have 32 bits here. A value outside its type, or an index outside its array, is an error that
 * Spin reports; an error in a guard that touches no array goes unseen.
 */

mtype = { left, right };
#define none 255
/* division whose remainder is never negative */
#define euclid_rem(a, b) ((((a) % (b)) + (b) * (b)) % (b))
#define euclid_div(a, b) (((a) - euclid_rem(a, b)) / (b))

byte open;
byte holder = none;
bool lent[6] = false;
mtype door;
bool marked[3];
bool node_up[3] = false;
bool ready = false;

proctype node(byte self) {
  do
  /* go: self.up and (open == 1) -> self.up := false, lent[self, 0] := true */
  :: d_step { node_up[self] && open == 1 -> node_up[self] = false; lent[self * 2] = true }
  /* come: (not self.up) and (holder == self) -> self.up := true, marked[self] := false */
  :: d_step { !node_up[self] && holder == self -> node_up[self] = true; marked[self] = false }
  od
}

proctype clock() {
  do
  /* turn: true -> open := 1 - open, door := if (door == left) then right else left */
  :: d_step { true -> open = 1 - open; door = (door == left -> right : left) }
  od
}

init { atomic {
  if :: open = 0 :: open = 1 fi;
  if :: door = left :: door = right fi;
  if :: marked[0] = false :: marked[0] = true fi;
  if :: marked[1] = false :: marked[1] = true fi;
  if :: marked[2] = false :: marked[2] = true fi;
  if
  :: holder = 0; lent[1] = true; door = left; marked[1] = true; node_up[1] = true;
  :: holder = 0; lent[1] = true; door = left; marked[2] = true; node_up[2] = true;
  :: holder = 1; lent[3] = true; door = left; marked[0] = true; node_up[0] = true;
  :: holder = 1; lent[3] = true; door = left; marked[2] = true; node_up[2] = true;
  :: holder = 2; lent[5] = true; door = left; marked[0] = true; node_up[0] = true;
  :: holder = 2; lent[5] = true; door = left; marked[1] = true; node_up[1] = true;
  fi;
  ready = true;
  run node(0);
  run node(1);
  run node(2);
  run clock();
#ifndef STATES
  run stutter();
#endif
} }

#ifndef STATES

/* A state without steps repeats for ever. Spin does that by itself, but with -f it then overlooks some cycles. */
proctype stutter() { do :: d_step { timeout -> skip } od }

ltl one_lent { (!ready) U (ready && ([] (lent[1] + lent[3] + lent[5] == 1))) }

ltl never_lent { (!ready) U (ready && ([] (!(lent[0] || lent[2] || lent[4])))) }

ltl goes { (!ready) U (ready && (<> ((lent[0] || lent[2] || lent[4]) != 0))) }

#endif
