---- MODULE resource_controller ----
\* resource_controller with clients = 2, written by Orbitscope for TLC.
\*
\* To check it:
\*   sed '1,/^====/d' resource_controller.tla > resource_controller.cfg
\*   java -jar tla2tools.jar resource_controller
EXTENDS Integers, FiniteSets, TLC

server == 0..0
client == 0..1
none == -1
EuclidRem(a, b) == a % (IF b < 0 THEN -b ELSE b)
EuclidDiv(a, b) == IF b < 0 THEN -(a \div (-b)) ELSE a \div b

VARIABLES turn, client_st
vars == <<turn, client_st>>

TypeOK ==
  /\ turn \in {"clients_turn", "server_turn"}
  /\ client_st \in [client -> {"I", "R", "C"}]

Init ==
  /\ turn = "clients_turn"
  /\ client_st = [x0 \in client |-> "I"]

server_grant(c) ==
  /\ turn = "server_turn"
  /\ client_st[c] = "R"
  /\ ~(\E x2 \in client : client_st[x2] = "C")
  /\ client_st' = [client_st EXCEPT ![c] = "C"]
  /\ turn' = "clients_turn"

server_skip ==
  /\ turn = "server_turn"
  /\ turn' = "clients_turn"
  /\ UNCHANGED <<client_st>>

server_step ==
  \/ \E c \in client : server_grant(c)
  \/ server_skip

client_request(self) ==
  /\ turn = "clients_turn"
  /\ client_st[self] = "I"
  /\ client_st' = [client_st EXCEPT ![self] = "R"]
  /\ turn' = "server_turn"

client_withdraw(self) ==
  /\ turn = "clients_turn"
  /\ client_st[self] = "R"
  /\ client_st' = [client_st EXCEPT ![self] = "I"]
  /\ turn' = "server_turn"

client_release(self) ==
  /\ turn = "clients_turn"
  /\ client_st[self] = "C"
  /\ client_st' = [client_st EXCEPT ![self] = "I"]
  /\ turn' = "server_turn"

client_step(self) ==
  \/ client_request(self)
  \/ client_withdraw(self)
  \/ client_release(self)

Next ==
  \/ server_step
  \/ \E self \in client : client_step(self)

\* Some process takes a step where one can; fairness of processes comes on top.
Spec ==
  /\ Init /\ [][Next]_vars /\ WF_vars(Next)
  /\ WF_vars(server_step)
  /\ \A self \in client : WF_vars(client_step(self))

mutual_exclusion == Cardinality({x0 \in client : client_st[x0] = "C"}) <= 1
eventually_access == \A c \in client : []((client_st[c] = "R") => (<>(client_st[c] = "C")))
\* `can_always_request` is left out: TLA+ has no CTL: its formulas speak of computations, not of trees.
====
SPECIFICATION Spec
INVARIANT TypeOK
INVARIANT mutual_exclusion
PROPERTY eventually_access
\* TRUE makes TLC stop at a state in which no process has a step.
CHECK_DEADLOCK FALSE
