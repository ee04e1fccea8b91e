---- MODULE odd ----
\* odd with n = 2, written by Orbitscope for TLC.
\*
\* To check it:
\*   sed '1,/^====/d' odd.tla > odd.cfg
\*   java -jar tla2tools.jar odd
\*
\* Some step may leave every variable as it is, and TLA+'s fairness speaks of steps that change something:
\* `tick` changes with every step, so TLC finds up to twice the states.
EXTENDS Integers, FiniteSets, TLC

init == 0..0
client == 0..1
none == -1
EuclidRem(a, b) == a % (IF b < 0 THEN -b ELSE b)
EuclidDiv(a, b) == IF b < 0 THEN -(a \div (-b)) ELSE a \div b

VARIABLES od, U, holder, start, init_next, client_int, tick
vars == <<od, U, holder, start, init_next, client_int, tick>>

TypeOK ==
  /\ od \in {"fi", "do", "R"}
  /\ U \in [(0..1) \X client -> ((-1)..2)]
  /\ holder \in (client \cup {none})
  /\ start \in {"R", "X"}
  /\ init_next \in BOOLEAN
  /\ client_int \in [client -> ((-2)..3)]

Init ==
  /\ od = "fi"
  /\ U = [x0 \in (0..1), x1 \in client |-> x1 - x0]
  /\ holder = none
  /\ start \in {"R", "X"}
  /\ init_next = FALSE
  /\ client_int = [x0 \in client |-> 0]
  /\ tick = FALSE

init_do ==
  /\ ~init_next
  /\ holder = none
  /\ init_next' = TRUE
  /\ UNCHANGED <<od, U, holder, start, client_int>>
  /\ tick' = ~tick

init_step ==
  \/ init_do

client_run(self, c, k) ==
  /\ c # self
  /\ (client_int[self] + k) >= (-2)
  /\ Cardinality({x3 \in client : (client_int[x3] \div 2) = (EuclidRem(client_int[(x3 + 1) % 2], (-3)))}) <= 1
  /\ Assert(<<(self + 1) % 2>> # <<self>> \/ (client_int[self]) = (client_int[self] + k), "two values for one variable")
  /\ client_int' = [client_int EXCEPT ![self] = client_int[self] + k, ![(self + 1) % 2] = client_int[self]]
  /\ holder' = c
  /\ UNCHANGED <<od, U, start, init_next>>
  /\ tick' = ~tick

client_drop(self) ==
  /\ holder = self
  /\ holder' = none
  /\ od' = (IF od = "R" THEN "do" ELSE "R")
  /\ UNCHANGED <<U, start, init_next, client_int>>
  /\ tick' = ~tick

client_step(self) ==
  \/ \E c \in client : \E k \in ((-1)..0) : client_run(self, c, k)
  \/ client_drop(self)

Next ==
  \/ init_step
  \/ \E self \in client : client_step(self)

\* Some process takes a step where one can; fairness of processes comes on top.
Spec ==
  /\ Init /\ [][Next]_vars /\ WF_vars(Next)
  /\ \A self \in client : WF_vars(client_step(self))

small == \A x0 \in client : client_int[x0] <= 3
\* `again` is left out: a formula of TLA+ cannot ask which process executes a step.
\* `soon` is left out: TLA+ has no `X`: what it says cannot depend on how often a state repeats.
\* `can` is left out: TLA+ has no CTL: its formulas speak of computations, not of trees.
\* `wrong` is left out: TLA+ has no automata as properties.
====
SPECIFICATION Spec
INVARIANT TypeOK
INVARIANT small
\* TRUE makes TLC stop at a state in which no process has a step.
CHECK_DEADLOCK FALSE
