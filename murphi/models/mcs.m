-- The queue lock of Mellor-Crummey and Scott: whoever waits does so at a variable of its own.

const
  threads: 3;

type
  thread: scalarset(threads);
  step: enum { away, swap, link, spin, critical, check_next, release, wait_next, pass };

var
  at: array [thread] of step;
  next: array [thread] of thread;      -- who comes behind; undefined is nobody
  blocked: array [thread] of boolean;
  before: array [thread] of thread;    -- who was last when this thread came
  last: thread;                        -- the lock: the end of the queue; undefined is nobody

procedure move(t: thread; to_step: step);
begin
  at[t] := to_step;
end;

function alone(t: thread): boolean;
begin
  if isundefined(last) then return false end;
  return last = t;
end;

startstate
  for t: thread do
    at[t] := away;
    blocked[t] := false;
    undefine next[t];
    undefine before[t];
  end;
  undefine last;
end;

ruleset t: thread do
  rule "come"
    at[t] = away
  ==>
    undefine next[t];
    move(t, swap);
  end;

  rule "swap"
    at[t] = swap
  ==>
    before[t] := last;
    last := t;
    if isundefined(before[t]) then
      move(t, critical);
    else
      move(t, link);
    end;
  end;

  rule "link"
    at[t] = link
  ==>
    blocked[t] := true;
    next[before[t]] := t;
    move(t, spin);
  end;

  rule "enter"
    at[t] = spin & !blocked[t]
  ==>
    undefine before[t];
    move(t, critical);
  end;

  rule "leave"
    at[t] = critical
  ==>
    undefine before[t];
    move(t, check_next);
  end;

  rule "look behind"
    at[t] = check_next
  ==>
    if isundefined(next[t]) then move(t, release) else move(t, pass) end;
  end;

  rule "release"
    at[t] = release
  ==>
    if alone(t) then
      undefine last;
      move(t, away);
    else
      move(t, wait_next);
    end;
  end;

  rule "see the next"
    at[t] = wait_next & !isundefined(next[t])
  ==>
    move(t, pass);
  end;

  rule "pass on"
    at[t] = pass
  ==>
    blocked[next[t]] := false;
    move(t, away);
  end;
end;

invariant "one at a time"
  forall t: thread do forall u: thread do
    at[t] = critical & at[u] = critical -> t = u
  end end;

-- orbitscope: ltl nobody_starves: forall t in thread: G (at[t] == swap => F at[t] == critical)
-- orbitscope: ltl first_come_first_served: forall t in thread, u in thread: G (t != u and at[t] == spin and at[u] == swap => (at[u] != critical W at[t] == critical))
