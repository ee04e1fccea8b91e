---- MODULE count_of_pairs ----
\* count_of_pairs, written by Orbitscope for TLC.
\*
\* To check it:
\*   sed '1,/^====/d' count_of_pairs.tla > count_of_pairs.cfg
\*   java -jar tla2tools.jar count_of_pairs
EXTENDS Integers, FiniteSets, TLC

node == 0..2
none == -1
EuclidRem(a, b) == a % (IF b < 0 THEN -b ELSE b)
EuclidDiv(a, b) == IF b < 0 THEN -(a \div (-b)) ELSE a \div b

VARIABLES node_st
vars == <<node_st>>

TypeOK ==
  /\ node_st \in [node -> BOOLEAN]

Init ==
  /\ node_st \in [node -> BOOLEAN]

node_a(self) ==
  /\ Cardinality({<<x1, x2, x3>> \in node \X node \X (1..2) : node_st[x1] /\ (node_st[x2] \/ (x3 = 2))}) > 5
  /\ node_st[self]
  /\ node_st' = [node_st EXCEPT ![self] = FALSE]

node_step(self) ==
  \/ node_a(self)

Next ==
  \/ \E self \in node : node_step(self)

\* Some process takes a step where one can; fairness of processes comes on top.
Spec ==
  /\ Init /\ [][Next]_vars /\ WF_vars(Next)
  /\ \A self \in node : WF_vars(node_step(self))

pairs == Cardinality({<<x0, x1>> \in node \X node : node_st[x0] /\ node_st[x1]}) # 1
apart == (vars = vars) /\ (Cardinality({<<x0, x1>> \in node \X node : x0 # x1}) = 6)
sum == Cardinality({<<x0, x1>> \in node \X node : (x0 # x1) \/ node_st[x0]}) <= 8
falls == <>(Cardinality({<<x0, x1>> \in node \X node : node_st[x0] /\ node_st[x1]}) < 9)
====
SPECIFICATION Spec
INVARIANT TypeOK
INVARIANT pairs
INVARIANT apart
INVARIANT sum
PROPERTY falls
\* TRUE makes TLC stop at a state in which no process has a step.
CHECK_DEADLOCK FALSE
