-- The resource controller in Murphi's language, as a user of it would write it: clients are a scalarset, so that the checker
-- knows they may change places.
const clients: CLIENTS;

type
  client: scalarset(clients);
  local: enum { I, R, C };

var
  servers_turn: boolean;
  st: array [client] of local;

startstate "idle" begin
  servers_turn := false;
  for c: client do st[c] := I; end;
end;

ruleset c: client do
  rule "grant"
    servers_turn & st[c] = R & forall d: client do st[d] != C end
  ==> begin st[c] := C; servers_turn := false; end;

  rule "request" !servers_turn & st[c] = I ==> begin st[c] := R; servers_turn := true; end;
  rule "withdraw" !servers_turn & st[c] = R ==> begin st[c] := I; servers_turn := true; end;
  rule "release" !servers_turn & st[c] = C ==> begin st[c] := I; servers_turn := true; end;
end;

rule "skip" servers_turn ==> begin servers_turn := false; end;

invariant "mutual exclusion"
  forall c: client do forall d: client do c != d -> !(st[c] = C & st[d] = C) end end;
