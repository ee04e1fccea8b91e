-- German's cache coherence protocol: a home node gives caches the right to read (shared) or to write (exclusive).
-- Each cache has three channels of one message each: requests, answers of the home, and acknowledgements.

const
  caches: 3;

type
  cache: scalarset(caches);
  right: enum { invalid, shared_, exclusive };
  request: enum { no_request, want_shared, want_exclusive };
  order: enum { no_order, invalidate, grant_shared, grant_exclusive };

var
  held: array [cache] of right;          -- what a cache has
  asked: array [cache] of request;       -- channel 1, from a cache to the home
  told: array [cache] of order;          -- channel 2, from the home to a cache
  done: array [cache] of boolean;        -- channel 3: the cache has given up its right

  -- The home.
  serving: request;                      -- what it is doing
  client: cache;                         -- for whom; undefined while it does nothing
  sharers: array [cache] of boolean;     -- who may have a right
  to_invalidate: array [cache] of boolean;
  owned: boolean;                        -- somebody has the right to write

startstate "all invalid"
  for c: cache do
    held[c] := invalid;
    asked[c] := no_request;
    told[c] := no_order;
    done[c] := false;
    sharers[c] := false;
    to_invalidate[c] := false;
  end;
  serving := no_request;
  undefine client;
  owned := false;
end;

ruleset c: cache do
  rule "ask to read"
    asked[c] = no_request & held[c] = invalid
  ==>
    asked[c] := want_shared;
  end;

  rule "ask to write"
    asked[c] = no_request & held[c] != exclusive
  ==>
    asked[c] := want_exclusive;
  end;

  rule "give up"
    told[c] = invalidate & !done[c]
  ==>
    told[c] := no_order;
    done[c] := true;
    held[c] := invalid;
  end;

  rule "take the right to read"
    told[c] = grant_shared
  ==>
    told[c] := no_order;
    held[c] := shared_;
  end;

  rule "take the right to write"
    told[c] = grant_exclusive
  ==>
    told[c] := no_order;
    held[c] := exclusive;
  end;
end;

-- The home owns the rest: the cache is a choice that it makes.
-- orbitscope: owner home
ruleset c: cache do
  rule "take a request"
    serving = no_request & asked[c] != no_request
  ==>
    serving := asked[c];
    client := c;
    asked[c] := no_request;
    for d: cache do
      to_invalidate[d] := sharers[d];
    end;
  end;

  rule "tell to give up"
    told[c] = no_order & to_invalidate[c]
    & (serving = want_exclusive | serving = want_shared & owned)
  ==>
    told[c] := invalidate;
    to_invalidate[c] := false;
  end;

  rule "hear that it has given up"
    serving != no_request & done[c]
  ==>
    done[c] := false;
    sharers[c] := false;
    owned := false;
  end;
end;

-- orbitscope: owner home
rule "grant reading"
  serving = want_shared & !owned & told[client] = no_order
==>
  sharers[client] := true;
  told[client] := grant_shared;
  serving := no_request;
  undefine client;
end;

-- orbitscope: owner home
rule "grant writing"
  serving = want_exclusive & told[client] = no_order
  & forall c: cache do !sharers[c] end
==>
  sharers[client] := true;
  owned := true;
  told[client] := grant_exclusive;
  serving := no_request;
  undefine client;
end;

invariant "one writes alone"
  forall c: cache do forall d: cache do
    c != d & held[c] = exclusive -> held[d] = invalid
  end end;

-- orbitscope: ltl every_request_is_taken: forall c in cache: G (asked[c] != no_request => F asked[c] == no_request)
-- orbitscope: ltl the_home_comes_to_an_end: G (serving != no_request => F serving == no_request)
