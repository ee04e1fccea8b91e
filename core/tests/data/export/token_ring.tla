---- MODULE token_ring ----
\* token_ring with stations = 3, written by Orbitscope for TLC.
\*
\* To check it:
\*   sed '1,/^====/d' token_ring.tla > token_ring.cfg
\*   java -jar tla2tools.jar token_ring
\*
\* Some step may leave every variable as it is, and TLA+'s fairness speaks of steps that change something:
\* `tick` changes with every step, so TLC finds up to twice the states.
EXTENDS Integers, FiniteSets, TLC

station == 0..2
none == -1
EuclidRem(a, b) == a % (IF b < 0 THEN -b ELSE b)
EuclidDiv(a, b) == IF b < 0 THEN -(a \div (-b)) ELSE a \div b

VARIABLES holder, station_st, tick
vars == <<holder, station_st, tick>>

TypeOK ==
  /\ holder \in station
  /\ station_st \in [station -> {"idle", "waiting", "working"}]

Init ==
  /\ holder \in station
  /\ station_st = [x0 \in station |-> "idle"]
  /\ tick = FALSE

station_rest(self) ==
  /\ station_st[self] = "idle"
  /\ holder # self
  /\ station_st' = [station_st EXCEPT ![self] = "idle"]
  /\ UNCHANGED <<holder>>
  /\ tick' = ~tick

station_want(self) ==
  /\ station_st[self] = "idle"
  /\ station_st' = [station_st EXCEPT ![self] = "waiting"]
  /\ UNCHANGED <<holder>>
  /\ tick' = ~tick

station_work(self) ==
  /\ station_st[self] = "waiting"
  /\ holder = self
  /\ station_st' = [station_st EXCEPT ![self] = "working"]
  /\ UNCHANGED <<holder>>
  /\ tick' = ~tick

station_done(self) ==
  /\ station_st[self] = "working"
  /\ station_st' = [station_st EXCEPT ![self] = "idle"]
  /\ holder' = ((self + 1) % 3)
  /\ tick' = ~tick

station_pass(self) ==
  /\ station_st[self] = "idle"
  /\ holder = self
  /\ holder' = ((self + 1) % 3)
  /\ UNCHANGED <<station_st>>
  /\ tick' = ~tick

station_step(self) ==
  \/ station_rest(self)
  \/ station_want(self)
  \/ station_work(self)
  \/ station_done(self)
  \/ station_pass(self)

Next ==
  \/ \E self \in station : station_step(self)

\* Some process takes a step where one can; fairness of processes comes on top.
Spec ==
  /\ Init /\ [][Next]_vars /\ WF_vars(Next)
  /\ \A self \in station : WF_vars(station_step(self))

works_with_token == \A x0 \in station : (~(station_st[x0] = "working")) \/ (holder = x0)
mutual_exclusion == Cardinality({x0 \in station : station_st[x0] = "working"}) <= 1
token_returns == \A s \in station : []<>(holder = s)
eventually_works == \A s \in station : []((station_st[s] = "waiting") => (<>(station_st[s] = "working")))
\* `hands_on` is left out: TLA+ has no `U`: what it says cannot depend on how often a state repeats.
everybody_works == \A s \in station : []<>(station_st[s] = "working")
\* `token_can_come` is left out: TLA+ has no CTL: its formulas speak of computations, not of trees.
\* `token_must_come` is left out: TLA+ has no CTL: its formulas speak of computations, not of trees.
\* `skips_none` is left out: TLA+ has no automata as properties.
====
SPECIFICATION Spec
INVARIANT TypeOK
INVARIANT works_with_token
INVARIANT mutual_exclusion
PROPERTY token_returns
PROPERTY eventually_works
PROPERTY everybody_works
\* TRUE makes TLC stop at a state in which no process has a step.
CHECK_DEADLOCK FALSE
