---- MODULE initial ----
\* initial, written by Orbitscope for TLC.
\*
\* To check it:
\*   sed '1,/^====/d' initial.tla > initial.cfg
\*   java -jar tla2tools.jar initial
\*
\* Some step may leave every variable as it is, and TLA+'s fairness speaks of steps that change something:
\* `tick` changes with every step, so TLC finds up to twice the states.
EXTENDS Integers, FiniteSets, TLC

node == 0..2
clock == 0..0
none == -1
EuclidRem(a, b) == a % (IF b < 0 THEN -b ELSE b)
EuclidDiv(a, b) == IF b < 0 THEN -(a \div (-b)) ELSE a \div b

VARIABLES open, holder, lent, door, marked, node_up, tick
vars == <<open, holder, lent, door, marked, node_up, tick>>

TypeOK ==
  /\ open \in (0..1)
  /\ holder \in (node \cup {none})
  /\ lent \in [node \X (0..1) -> BOOLEAN]
  /\ door \in {"left", "right"}
  /\ marked \in [node -> BOOLEAN]
  /\ node_up \in [node -> BOOLEAN]

Init ==
  /\ open \in (0..1)
  /\ \/ holder = 0 /\ lent = [[x0 \in node, x1 \in (0..1) |-> FALSE] EXCEPT ![0, 1] = TRUE] /\ door = "left" /\ marked \in {xf \in [node -> BOOLEAN] : xf[1] = TRUE} /\ node_up = [[x0 \in node |-> FALSE] EXCEPT ![1] = TRUE]
     \/ holder = 0 /\ lent = [[x0 \in node, x1 \in (0..1) |-> FALSE] EXCEPT ![0, 1] = TRUE] /\ door = "left" /\ marked \in {xf \in [node -> BOOLEAN] : xf[2] = TRUE} /\ node_up = [[x0 \in node |-> FALSE] EXCEPT ![2] = TRUE]
     \/ holder = 1 /\ lent = [[x0 \in node, x1 \in (0..1) |-> FALSE] EXCEPT ![1, 1] = TRUE] /\ door = "left" /\ marked \in {xf \in [node -> BOOLEAN] : xf[0] = TRUE} /\ node_up = [[x0 \in node |-> FALSE] EXCEPT ![0] = TRUE]
     \/ holder = 1 /\ lent = [[x0 \in node, x1 \in (0..1) |-> FALSE] EXCEPT ![1, 1] = TRUE] /\ door = "left" /\ marked \in {xf \in [node -> BOOLEAN] : xf[2] = TRUE} /\ node_up = [[x0 \in node |-> FALSE] EXCEPT ![2] = TRUE]
     \/ holder = 2 /\ lent = [[x0 \in node, x1 \in (0..1) |-> FALSE] EXCEPT ![2, 1] = TRUE] /\ door = "left" /\ marked \in {xf \in [node -> BOOLEAN] : xf[0] = TRUE} /\ node_up = [[x0 \in node |-> FALSE] EXCEPT ![0] = TRUE]
     \/ holder = 2 /\ lent = [[x0 \in node, x1 \in (0..1) |-> FALSE] EXCEPT ![2, 1] = TRUE] /\ door = "left" /\ marked \in {xf \in [node -> BOOLEAN] : xf[1] = TRUE} /\ node_up = [[x0 \in node |-> FALSE] EXCEPT ![1] = TRUE]
  /\ tick = FALSE

node_go(self) ==
  /\ node_up[self]
  /\ open = 1
  /\ node_up' = [node_up EXCEPT ![self] = FALSE]
  /\ lent' = [lent EXCEPT ![self, 0] = TRUE]
  /\ UNCHANGED <<open, holder, door, marked>>
  /\ tick' = ~tick

node_come(self) ==
  /\ ~node_up[self]
  /\ holder = self
  /\ node_up' = [node_up EXCEPT ![self] = TRUE]
  /\ marked' = [marked EXCEPT ![self] = FALSE]
  /\ UNCHANGED <<open, holder, lent, door>>
  /\ tick' = ~tick

node_step(self) ==
  \/ node_go(self)
  \/ node_come(self)

clock_turn ==
  /\ TRUE
  /\ open' = (1 - open)
  /\ door' = (IF door = "left" THEN "right" ELSE "left")
  /\ UNCHANGED <<holder, lent, marked, node_up>>
  /\ tick' = ~tick

clock_step ==
  \/ clock_turn

Next ==
  \/ \E self \in node : node_step(self)
  \/ clock_step

\* Some process takes a step where one can; fairness of processes comes on top.
Spec ==
  /\ Init /\ [][Next]_vars /\ WF_vars(Next)
  /\ \A self \in node : WF_vars(node_step(self))
  /\ WF_vars(clock_step)

one_lent == Cardinality({x0 \in node : lent[x0, 1]}) = 1
never_lent == ~(\E x0 \in node : lent[x0, 0])
goes == <>(\E x0 \in node : lent[x0, 0])
====
SPECIFICATION Spec
INVARIANT TypeOK
INVARIANT one_lent
INVARIANT never_lent
PROPERTY goes
\* TRUE makes TLC stop at a state in which no process has a step.
CHECK_DEADLOCK FALSE
