/* resource_controller with clients = 2, written by Orbitscope for Spin 6.
 *
 * To check the claims, one at a time:
 *   spin -a resource_controller.pml
 *   cc -O2 -w -DNOREDUCE -DNFAIR=2 -o pan pan.c
 *   ./pan -a -f -m10000000 -N mutual_exclusion
 *   ./pan -a -f -m10000000 -N eventually_access
 * `errors: 0` means that it holds; `spin -t -p -g resource_controller.pml` shows an error.
 *
 * To count all states, and to find deadlocks (`invalid end state`):
 *   spin -DSTATES -o2 -a resource_controller.pml
 *   cc -O2 -w -DNOREDUCE -DSAFETY -o pan pan.c
 *   ./pan -m10000000       (with -E deadlocks are passed over)
 *
 * Fairness: every process is weakly fair. For formulas (ltl) that is Spin's option -f; automata (never) say it
 * themselves and do without -f, which overlooks cycles of some of them.
 * Numbers have 32 bits here. A value outside its type, or an index outside its array, is an error that
 * Spin reports; an error in a guard that touches no array goes unseen.
 */

mtype = { clients_turn, server_turn, I, R, C };
#define none 255
/* division whose remainder is never negative */
#define euclid_rem(a, b) ((((a) % (b)) + (b) * (b)) % (b))
#define euclid_div(a, b) (((a) - euclid_rem(a, b)) / (b))

mtype turn = clients_turn;
mtype client_st[2] = I;

active proctype server() {
  do
  /* grant(c in client): (turn == server_turn) and (c.st == R) and (not (exists x2 in client: x2.st == C)) -> c.st := C, turn := clients_turn */
  :: d_step { turn == server_turn && client_st[0] == R && !(client_st[0] == C || client_st[1] == C) -> client_st[0] = C; turn = clients_turn }
  :: d_step { turn == server_turn && client_st[1] == R && !(client_st[0] == C || client_st[1] == C) -> client_st[1] = C; turn = clients_turn }
  /* skip: turn == server_turn -> turn := clients_turn */
  :: d_step { turn == server_turn -> turn = clients_turn }
  od
}

active [2] proctype client() {
  byte self = _pid - 1;
  do
  /* request: (turn == clients_turn) and (self.st == I) -> self.st := R, turn := server_turn */
  :: d_step { turn == clients_turn && client_st[self] == I -> client_st[self] = R; turn = server_turn }
  /* withdraw: (turn == clients_turn) and (self.st == R) -> self.st := I, turn := server_turn */
  :: d_step { turn == clients_turn && client_st[self] == R -> client_st[self] = I; turn = server_turn }
  /* release: (turn == clients_turn) and (self.st == C) -> self.st := I, turn := server_turn */
  :: d_step { turn == clients_turn && client_st[self] == C -> client_st[self] = I; turn = server_turn }
  od
}

#ifndef STATES

/* A state without steps repeats for ever. Spin does that by itself, but with -f it then overlooks some cycles. */
active proctype stutter() { do :: d_step { timeout -> skip } od }

ltl mutual_exclusion { [] ((client_st[0] == C) + (client_st[1] == C) <= 1) }

/* eventually_access: c = client[0], for all 2 choices that symmetry makes alike */
ltl eventually_access { [] ((client_st[0] == R) -> (<> (client_st[0] == C))) }

/* `can_always_request` is left out: Spin has no CTL: it checks computations, not trees. */

#endif
