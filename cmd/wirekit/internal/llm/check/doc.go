// Package check has the verb that checks a proxy before APIs of models from both sides: it is
// the client that calls the proxy, and the API that the proxy calls.
//
// A conversation grows turn by turn, as agents send it. What arrives at the API on a turn
// must begin with what arrived on the turn before, byte for byte: providers keep prefixes of
// requests, and bill what differs as new. Answers, errors, events of streams and attempts
// that clients make again must arrive as they were sent. Results of tools may be rewritten
// in any way that is the same on every turn.
package check
