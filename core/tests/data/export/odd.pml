/* odd with n = 2, written by Orbitscope for Spin 6.
 *
 * To check the claims, one at a time:
 *   spin -a odd.pml
 *   cc -O2 -w -DNOREDUCE -o pan pan.c
 *   ./pan -a -m10000000 -N small
 *   ./pan -a -m10000000 -N again_0
 *   ./pan -a -m10000000 -N again_1
 *   ./pan -a -m10000000 -N soon
 *   ./pan -a -m10000000 -N wrong_0
 *   ./pan -a -m10000000 -N wrong_1
 * `errors: 0` means that it holds; `spin -t -p -g odd.pml` shows an error.
 *
 * To count all states, and to find deadlocks (`invalid end state`):
 *   spin -DSTATES -o2 -a odd.pml
 *   cc -O2 -w -DNOREDUCE -DSAFETY -o pan pan.c
 *   ./pan -m10000000       (with -E deadlocks are passed over)
 * One state more is counted: the one before the initial values are chosen.
 *
 * Fairness: the claims assume weak fairness of client[0], client[1].
 * Numbers have 32 bits here. A value outside its type, or an index outside its array, is an error that
 * Spin reports; an error in a guard that touches no array goes unseen.
 */

mtype = { fi_, do_, R, X_ };
#define none 255
/* division whose remainder is never negative */
#define euclid_rem(a, b) ((((a) % (b)) + (b) * (b)) % (b))
#define euclid_div(a, b) (((a) - euclid_rem(a, b)) / (b))

mtype od_ = fi_;
short U_[4];
byte holder = none;
mtype start;
bool init_next = false;
short client_int[2] = 0;
bool ready = false;
/* the process that executed last, for the claims; Spin's _last is no part of its states */
#ifdef STATES
#define note_who skip
#else
byte who = none;
#define note_who who = _pid
#endif
hidden int new1, at1;
hidden int new2, at2;

proctype init_() {
  do
  /* do: (not init.next) and (holder == none) -> init.next := true */
  :: d_step { !init_next && holder == none -> note_who; init_next = true }
  od
}

proctype client(byte self) {
  do
  /* run(c in client, k in -1..0): (c != self) and ((self.int + k) >= (-2)) and (count(x3 in client: (x3.int / 2) == (next(x3).int % (-3))) <= 1) -> self.int := self.int + k, next(self).int := self.int, holder := c */
  :: d_step { 0 != self && client_int[self] + (-1) >= (-2) && (euclid_div(client_int[0], 2) == euclid_rem(client_int[1], (-3))) + (euclid_div(client_int[1], 2) == euclid_rem(client_int[0], (-3))) <= 1 -> note_who; assert(client_int[self] + (-1) >= (-2)); assert(self != (self + 1) % 2 || client_int[self] + (-1) == client_int[self]); new2 = client_int[self]; at2 = (self + 1) % 2; client_int[self] = client_int[self] + (-1); client_int[at2] = new2; holder = 0 }
  :: d_step { 0 != self && client_int[self] >= (-2) && (euclid_div(client_int[0], 2) == euclid_rem(client_int[1], (-3))) + (euclid_div(client_int[1], 2) == euclid_rem(client_int[0], (-3))) <= 1 -> note_who; assert(self != (self + 1) % 2 || client_int[self] == client_int[self]); new2 = client_int[self]; at2 = (self + 1) % 2; client_int[self] = client_int[self]; client_int[at2] = new2; holder = 0 }
  :: d_step { 1 != self && client_int[self] + (-1) >= (-2) && (euclid_div(client_int[0], 2) == euclid_rem(client_int[1], (-3))) + (euclid_div(client_int[1], 2) == euclid_rem(client_int[0], (-3))) <= 1 -> note_who; assert(client_int[self] + (-1) >= (-2)); assert(self != (self + 1) % 2 || client_int[self] + (-1) == client_int[self]); new2 = client_int[self]; at2 = (self + 1) % 2; client_int[self] = client_int[self] + (-1); client_int[at2] = new2; holder = 1 }
  :: d_step { 1 != self && client_int[self] >= (-2) && (euclid_div(client_int[0], 2) == euclid_rem(client_int[1], (-3))) + (euclid_div(client_int[1], 2) == euclid_rem(client_int[0], (-3))) <= 1 -> note_who; assert(self != (self + 1) % 2 || client_int[self] == client_int[self]); new2 = client_int[self]; at2 = (self + 1) % 2; client_int[self] = client_int[self]; client_int[at2] = new2; holder = 1 }
  /* drop: holder == self -> holder := none, od := if (od == R) then do else R */
  :: d_step { holder == self -> note_who; holder = none; od_ = (od_ == R -> do_ : R) }
  od
}

init { atomic {
  U_[0] = 0;
  U_[1] = 1;
  U_[2] = (-1);
  U_[3] = 0;
  if :: start = R :: start = X_ fi;
  ready = true;
  run init_();
  run client(0);
  run client(1);
#ifndef STATES
  run stutter();
#endif
} }

/* whether a process of `client` has a step */
#define client_enabled(self) ((0 != self && client_int[self] + (-1) >= (-2) && (euclid_div(client_int[0], 2) == euclid_rem(client_int[1], (-3))) + (euclid_div(client_int[1], 2) == euclid_rem(client_int[0], (-3))) <= 1) || (0 != self && client_int[self] >= (-2) && (euclid_div(client_int[0], 2) == euclid_rem(client_int[1], (-3))) + (euclid_div(client_int[1], 2) == euclid_rem(client_int[0], (-3))) <= 1) || (1 != self && client_int[self] + (-1) >= (-2) && (euclid_div(client_int[0], 2) == euclid_rem(client_int[1], (-3))) + (euclid_div(client_int[1], 2) == euclid_rem(client_int[0], (-3))) <= 1) || (1 != self && client_int[self] >= (-2) && (euclid_div(client_int[0], 2) == euclid_rem(client_int[1], (-3))) + (euclid_div(client_int[1], 2) == euclid_rem(client_int[0], (-3))) <= 1) || holder == self)

#ifndef STATES

/* A state without steps repeats for ever. Spin does that by itself, but with -f it then overlooks some cycles. */
proctype stutter() { do :: d_step { timeout -> note_who; skip } od }

ltl small { (!ready) U (ready && ([] ((client_int[0] <= 3 && client_int[1] <= 3) != 0))) }

/* again: c = client[0] */
never again_0 { /* accepts the computations that violate the property */
start_:
  do
  :: !ready -> goto start_
  :: ready -> goto S0
  :: ready -> goto S1
  od;
S0:
  do
  :: true -> goto S0
  :: true -> goto S1
  od;
S1:
  do
  :: who != 2 && (who == 2 || !client_enabled(0)) -> goto S1_2
  :: who != 2 -> goto S1_1
  od;
S1_2:
  do
  :: who != 2 && (who == 3 || !client_enabled(1)) -> goto accept_S1
  :: who != 2 -> goto S1_2
  od;
S1_1:
  do
  :: who != 2 && (who == 2 || !client_enabled(0)) -> goto S1_2
  :: who != 2 -> goto S1_1
  od;
accept_S1:
  do
  :: who != 2 && (who == 2 || !client_enabled(0)) -> goto S1_2
  :: who != 2 -> goto S1_1
  od;
}

/* again: c = client[1] */
never again_1 { /* accepts the computations that violate the property */
start_:
  do
  :: !ready -> goto start_
  :: ready -> goto S0
  :: ready -> goto S1
  od;
S0:
  do
  :: true -> goto S0
  :: true -> goto S1
  od;
S1:
  do
  :: who != 3 && (who == 2 || !client_enabled(0)) -> goto S1_2
  :: who != 3 -> goto S1_1
  od;
S1_2:
  do
  :: who != 3 && (who == 3 || !client_enabled(1)) -> goto accept_S1
  :: who != 3 -> goto S1_2
  od;
S1_1:
  do
  :: who != 3 && (who == 2 || !client_enabled(0)) -> goto S1_2
  :: who != 3 -> goto S1_1
  od;
accept_S1:
  do
  :: who != 3 && (who == 2 || !client_enabled(0)) -> goto S1_2
  :: who != 3 -> goto S1_1
  od;
}

never soon { /* accepts the computations that violate the property */
start_:
  do
  :: !ready -> goto start_
  :: ready && (!init_next && (who == 2 || !client_enabled(0))) -> goto S1_1
  :: ready && !init_next -> goto S1
  od;
S1_1:
  do
  :: !(od_ == fi_) && (who == 3 || !client_enabled(1)) -> goto accept_S2
  :: !(od_ == fi_) -> goto S2_1
  od;
S1:
  do
  :: !(od_ == fi_) && (who == 2 || !client_enabled(0)) -> goto S2_1
  :: !(od_ == fi_) -> goto S2
  od;
accept_S2:
  do
  :: who == 2 || !client_enabled(0) -> goto S2_1
  :: true -> goto S2
  od;
S2_1:
  do
  :: who == 3 || !client_enabled(1) -> goto accept_S2
  :: true -> goto S2_1
  od;
S2:
  do
  :: who == 2 || !client_enabled(0) -> goto S2_1
  :: true -> goto S2
  od;
}

/* `can` is left out: Spin has no CTL: it checks computations, not trees. */

/* wrong: c = client[0] */
never wrong_0 { /* accepts the computations that violate the property */
start_:
  do
  :: !ready -> goto start_
  :: ready -> goto a
  :: ready && client_int[0] == 3 -> goto b
  od;
a:
  do
  :: true -> goto a
  :: client_int[0] == 3 -> goto b
  od;
b:
  do
  :: who == 2 || !client_enabled(0) -> goto b_2
  :: true -> goto b_1
  od;
b_2:
  do
  :: who == 3 || !client_enabled(1) -> goto accept_b
  :: true -> goto b_2
  od;
b_1:
  do
  :: who == 2 || !client_enabled(0) -> goto b_2
  :: true -> goto b_1
  od;
accept_b:
  do
  :: who == 2 || !client_enabled(0) -> goto b_2
  :: true -> goto b_1
  od;
}

/* wrong: c = client[1] */
never wrong_1 { /* accepts the computations that violate the property */
start_:
  do
  :: !ready -> goto start_
  :: ready -> goto a
  :: ready && client_int[1] == 3 -> goto b
  od;
a:
  do
  :: true -> goto a
  :: client_int[1] == 3 -> goto b
  od;
b:
  do
  :: who == 2 || !client_enabled(0) -> goto b_2
  :: true -> goto b_1
  od;
b_2:
  do
  :: who == 3 || !client_enabled(1) -> goto accept_b
  :: true -> goto b_2
  od;
b_1:
  do
  :: who == 2 || !client_enabled(0) -> goto b_2
  :: true -> goto b_1
  od;
accept_b:
  do
  :: who == 2 || !client_enabled(0) -> goto b_2
  :: true -> goto b_1
  od;
}

#endif
