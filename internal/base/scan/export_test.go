package scan

// The portable forms, for tests of both on one machine.
var (
	PortableTextEnd  = textEnd[[]byte]
	MoveText         = moveText
	PortableMoveText = portableMoveText
)
