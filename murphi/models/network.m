-- Clients ask servers over a network that loses the order of its messages.

const
  clients: 2;
  servers: 1;
  capacity: 2;

type
  client: scalarset(clients);
  server: scalarset(servers);
  node: union { client, server };
  message: record
    from: node;
    where: node;
    question: boolean;
  end;

var
  net: multiset [capacity] of message;
  waiting: array [client] of boolean;

procedure send(from, where: node; question: boolean);
var m: message;
begin
  m.from := from;
  m.where := where;
  m.question := question;
  multisetadd(m, net);
end;

startstate
  undefine net;
  for c: client do waiting[c] := false end;
end;

ruleset c: client; s: server do
  rule "ask"
    !waiting[c] & multisetcount(i: net, true) < capacity
  ==>
    waiting[c] := true;
    send(c, s, true);
  end;
end;

ruleset s: server do
  choose m: net do
    rule "answer"
      net[m].where = s & net[m].question
    ==>
      alias who: net[m].from do
        multisetremove(m, net);
        send(s, who, false);
      end;
    end;
  end;
end;

ruleset c: client do
  choose m: net do
    rule "hear"
      net[m].where = c
    ==>
      multisetremove(m, net);
      waiting[c] := false;
    end;
  end;
end;

invariant "no answer without a question"
  multisetcount(i: net, ismember(net[i].where, client) & !net[i].question) <= capacity;

cover "two questions" multisetcount(i: net, net[i].question) = 2;
