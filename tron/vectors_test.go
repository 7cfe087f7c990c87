package tron_test

import "github.com/wirekit/wirekit/wire"

// A vector is a value as JSON and its text.
type vector struct{ json, text string }

// writeVectors are what the encoder writes. Where text is empty, it is the JSON.
var writeVectors = []vector{
	{`null`, ""}, {`true`, ""}, {`0`, ""}, {`-0`, ""}, {`1.10`, ""}, {`1E400`, ""}, {`12345678901234567890`, ""},
	{`"a\"b"`, ""}, {`"class A: a"`, ""}, {`[]`, ""}, {`{}`, ""}, {`[[],{}]`, ""}, {`{"a":1}`, ""},
	// When a class pays: two members from 4 objects on, three from 3, four from 2, one from 8.
	{`[{"x":1,"y":2},{"x":3,"y":4},{"x":5,"y":6}]`, ""},
	{`[{"x":1,"y":2},{"x":3,"y":4},{"x":5,"y":6},{"x":7,"y":8}]`, "class A: x,y\n\n[A(1,2),A(3,4),A(5,6),A(7,8)]"},
	{`[{"x":1,"y":2,"z":3},{"x":4,"y":5,"z":6}]`, ""},
	{`[{"x":1,"y":2,"z":3},{"x":4,"y":5,"z":6},{"x":7,"y":8,"z":9}]`, "class A: x,y,z\n\n[A(1,2,3),A(4,5,6),A(7,8,9)]"},
	{`[{"a":1,"b":2,"c":3,"d":4}]`, ""},
	{`[{"a":1,"b":2,"c":3,"d":4},{"a":5,"b":6,"c":7,"d":8}]`, "class A: a,b,c,d\n\n[A(1,2,3,4),A(5,6,7,8)]"},
	{`[{"a":0},{"a":1},{"a":2},{"a":3},{"a":4},{"a":5},{"a":6}]`, ""},
	{`[{"a":0},{"a":1},{"a":2},{"a":3},{"a":4},{"a":5},{"a":6},{"a":7}]`, "class A: a\n\n[A(0),A(1),A(2),A(3),A(4),A(5),A(6),A(7)]"},
	{`[{},{},{},{},{},{},{},{},{}]`, ""},
	// Null is null, and what is absent or in another order is another shape.
	{`[{"id":1,"n":null,"on":1},{"id":2,"n":"B","on":0},{"id":3,"on":1},{"id":4,"n":"D","on":1}]`,
		"class A: id,n,on\n\n[A(1,null,1),A(2,\"B\",0),{\"id\":3,\"on\":1},A(4,\"D\",1)]"},
	{`[{"id":1,"n":"A","on":1},{"n":"B","id":2,"on":0},{"id":3,"n":"C","on":1},{"id":4,"n":"D","on":1}]`,
		"class A: id,n,on\n\n[A(1,\"A\",1),{\"n\":\"B\",\"id\":2,\"on\":0},A(3,\"C\",1),A(4,\"D\",1)]"},
	// Anywhere, one within the other too, named in the order of their first objects.
	{`{"a":{"x":1.50,"y":2,"z":3},"b":{"x":4,"y":5,"z":6},"c":{"x":7,"y":8,"z":9}}`, "class A: x,y,z\n\n{\"a\":A(1.50,2,3),\"b\":A(4,5,6),\"c\":A(7,8,9)}"},
	{`[{"o":{"x":1,"y":2,"z":3},"p":"a","q":1},{"o":{"x":4,"y":5,"z":6},"p":"b","q":2},{"o":{"x":7,"y":8,"z":9},"p":"c","q":3}]`,
		"class A: o,p,q\nclass B: x,y,z\n\n[A(B(1,2,3),\"a\",1),A(B(4,5,6),\"b\",2),A(B(7,8,9),\"c\",3)]"},
	{`{"n":1,"l":{"n":2,"l":{"n":3,"l":{"n":4,"l":null}}}}`, "class A: n,l\n\nA(1,A(2,A(3,A(4,null))))"},
	{`[[{"n":1,"s":2,"t":3}],[{"n":4,"s":5,"t":6}],{"x":{"n":7,"s":8,"t":9}}]`, "class A: n,s,t\n\n[[A(1,2,3)],[A(4,5,6)],{\"x\":A(7,8,9)}]"},
	{`[{"k":[1,2],"v":{},"w":0},{"k":[],"v":{"z":1},"w":0},{"k":null,"v":[{}],"w":0}]`, "class A: k,v,w\n\n[A([1,2],{},0),A([],{\"z\":1},0),A(null,[{}],0)]"},
	// Keys of any text.
	{`[{"content-type":"a","n":1,"q":2},{"content-type":"b","n":1,"q":2},{"content-type":"c","n":1,"q":2}]`, "class A: \"content-type\",n,q\n\n[A(\"a\",1,2),A(\"b\",1,2),A(\"c\",1,2)]"},
	{`[{"class":1,"b":2,"c":3},{"class":4,"b":5,"c":6},{"class":7,"b":8,"c":9}]`, "class A: \"class\",b,c\n\n[A(1,2,3),A(4,5,6),A(7,8,9)]"},
	{`[{"true":1,"null":2,"false":3},{"true":4,"null":5,"false":6},{"true":7,"null":8,"false":9}]`, "class A: \"true\",\"null\",\"false\"\n\n[A(1,2,3),A(4,5,6),A(7,8,9)]"},
	{`[{"":1,"1st":2,"_3":3},{"":4,"1st":5,"_3":6},{"":7,"1st":8,"_3":9}]`, "class A: \"\",\"1st\",_3\n\n[A(1,2,3),A(4,5,6),A(7,8,9)]"},
	{`[{"straße":1,"a b":2,"c":3},{"straße":4,"a b":5,"c":6},{"straße":7,"a b":8,"c":9}]`, "class A: \"straße\",\"a b\",c\n\n[A(1,2,3),A(4,5,6),A(7,8,9)]"},
	{`[{"__proto__":1,"b":2,"c":3},{"__proto__":4,"b":5,"c":6},{"__proto__":7,"b":8,"c":9}]`, "class A: __proto__,b,c\n\n[A(1,2,3),A(4,5,6),A(7,8,9)]"},
	{`[{"10":1,"9":2,"x":3},{"10":4,"9":5,"x":6},{"10":7,"9":8,"x":9}]`, "class A: \"10\",\"9\",x\n\n[A(1,2,3),A(4,5,6),A(7,8,9)]"},
	{`[{"say \"x\"":1,"tab\t":2,"c":3},{"say \"x\"":4,"tab\t":5,"c":6},{"say \"x\"":7,"tab\t":8,"c":9}]`, "class A: \"say \\\"x\\\"\",\"tab\\t\",c\n\n[A(1,2,3),A(4,5,6),A(7,8,9)]"},
	{`[{"a,b":1,"c":2},{"a,b":1,"c":2},{"a,b":1,"c":2},{"a,b":1,"c":2},{"a":3,"b,c":4},{"a":3,"b,c":4},{"a":3,"b,c":4},{"a":3,"b,c":4}]`,
		"class A: \"a,b\",c\nclass B: a,\"b,c\"\n\n[A(1,2),A(1,2),A(1,2),A(1,2),B(3,4),B(3,4),B(3,4),B(3,4)]"},
	// Strings that look like the format's own text.
	{`[{"a":"A(1)","b":"# no","c":")"},{"a":"x,]","b":"\n","c":"="},{"a":"","b":";","c":",}"}]`, "class A: a,b,c\n\n[A(\"A(1)\",\"# no\",\")\"),A(\"x,]\",\"\\n\",\"=\"),A(\"\",\";\",\",}\")]"},
}

// readVectors are texts that the encoder does not write.
var readVectors = []vector{
	// Classes on one line or several, in any order.
	{`{"x":10,"y":20}`, "class Point: x, y\nPoint(10, 20)"},
	{`{"x":10,"y":20}`, "class Point:\n  x\n  y\n\nPoint(\n  10,\n  20,\n)"},
	{`{"x":10,"y":20}`, "class Point: x,y;Point(10,20)"},
	{`{"x":1,"y":2}`, "\tclass\tPoint :\n  x\n\n  y,\r\n\r\n  Point (1,2)\r\n"},
	{`[{"a":1},{"b":2}]`, "class B:b;class A:a;[A(1),B(2)];"},
	{`{"a":1}`, ";;\nclass A: a\n;\n;A(1);;\n"},
	{`{"x":1}`, "class a_1: x\na_1(1)"}, {`{"x":1}`, "class _: x\n_(1)"},
	{`[{"t":1},{"t":2},{"t":3}]`, "class f: t\nclass nullable: t\nclass true_: t\n[f(1),nullable(2),true_(3)]"},
	// Where members end.
	{`"x"`, "class A: a,b\n\"x\""}, {`"x"`, "class A: a,b;\"x\" ;"}, {`"x"`, "class A: a,\n\"x\" # c\n;\n"}, {`null`, "class A: a,b\n\nnull"}, {`-5`, "class A: a,b\n-5"},
	{`{"a":1,"x":2}`, "class A: a\n\"x\"\nA(1,2)"}, {`{"a":1,"b":2}`, "class A: a\nb\nA\n(1,2)"},
	{`{"true":1,"null":2}`, "class A: true,null\n\nA(1,2)"}, {`{"true":1}`, "class A: \"true\"\ntrue_" + "\n{\"true\":1}"},
	{`{"b":1}`, "class A: a\n\n{\"b\":1}"},
	{`{"1a":1,"é\n":2,"":3}`, "class A: \"1a\",\"é\\n\",\"\"\nA(1,2,3)"},
	// Parents.
	{`{"x":1,"y":2,"z":3,"q":4}`, "class P: x, y\nclass Q( P ) : z\nclass R(Q):q\nR(1,2,3,4)"},
	// Values with names.
	{`{"x":10,"y":20}`, "class Point: x, y\nPoint(y=20, x = 10,)"}, {`{"x":10,"y":20}`, "class Point: x, y\nPoint(10, \"y\"\n=\n20)"},
	{`{"x":10,"y":{"x":1,"y":[]},"z":"z"}`, "class P: x, y\nclass Q(P): z\nQ(10,z=\"z\",\"y\"=P(\"y\"=[],x=1))"},
	// Comments and commas at ends.
	{`[{"index":"i","val":{"key":"v#,]"}}]`, "# by hand\nclass Base:\n  index\nclass Item(Base): # more,\n  val,\n[Item(\"i\",{\"key\":\"v#,]\",},),]\n# end"},
	{`[1,[],{},"\\",2]`, "[1, # one\r\n[],{}, \"\\\\\" ,2\n,#\n]\r\n"},
	{`{"a":1,"b":2}`, "class A: a,\n  # c\n  b\nA(1,2)"},
	// What is JSON.
	{`{"a":{"b":[{"a":1}]}}`, "{\"a\":\n  {\"b\"\n:[{\"a\":1}]}}"}, {`1`, "\ufeff1"}, {`{"a":2}`, `{"a":1,"a":2}`},
	{`{"a":1}`, "\ufeffclass A: a\n\nA(1)"}, {`{"__proto__":{"x":1}}`, ""}, {`{"2":1,"1":2}`, ""}, {`"\u0041😀\/"`, `"A\ud83d\ude00/"`},
	// Instances within each other, of the same class too.
	{`{"a":{"a":{"a":null}}}`, "class A: a\n\nA(A(A(null)))"}, {`{"x":{"a":{"a":1}}}`, "class A: a\n\n{\"x\":A({\"a\":1})}"},
}

// A fault is a text that is refused.
type fault struct {
	text, code   string
	kind         error
	line, column int
	path         string
}

var faults = []fault{
	{"", wire.CodeUnexpectedEnd, wire.ErrTruncated, 1, 1, ""}, {"# c", wire.CodeUnexpectedEnd, wire.ErrTruncated, 1, 4, ""}, {";\n", wire.CodeUnexpectedEnd, wire.ErrTruncated, 2, 1, ""},
	{"class A: a\n", wire.CodeUnexpectedEnd, wire.ErrTruncated, 2, 1, ""},
	// Instances.
	{"[1,B(1)]", "undefined_class", wire.ErrSyntax, 1, 4, "/1"}, {"NaN", "undefined_class", wire.ErrSyntax, 1, 1, ""}, {"{\"a\":True}", "undefined_class", wire.ErrSyntax, 1, 6, "/a"}, {"[nul]", "undefined_class", wire.ErrSyntax, 1, 2, "/0"},
	{"class A: a\n\n[A]", "unexpected_character", wire.ErrSyntax, 3, 3, "/0"},
	{"class A: a,b\n\n[A(1)]", "missing_value", wire.ErrSyntax, 3, 5, "/0"}, {"class A: a\nA()", "missing_value", wire.ErrSyntax, 2, 3, ""},
	{"class A: a\n\n{\"k\":A(1,2)}", "too_many_values", wire.ErrSyntax, 3, 10, "/k"}, {"class A: a\nA(1,(2))", "too_many_values", wire.ErrSyntax, 2, 5, ""},
	{"class A: a,b\nA(b=1)", "missing_value", wire.ErrSyntax, 2, 6, ""}, {"class A: a,b\nA(1,a=2)", wire.CodeDuplicateKey, wire.ErrDuplicateKey, 2, 5, ""},
	{"class A: a,b\nA(b=1,\"b\"=2)", wire.CodeDuplicateKey, wire.ErrDuplicateKey, 2, 7, ""}, {"class A: a\nA(c=1)", "unknown_member", wire.ErrUnknownMember, 2, 3, ""},
	{"class A: a,b\nA(a=1,2)", "positional_value", wire.ErrSyntax, 2, 7, ""}, {"class A: a,b\nA(a=1,\"b\")", "positional_value", wire.ErrSyntax, 2, 7, ""},
	{"class A: a,b\nA(a=1,b)", "positional_value", wire.ErrSyntax, 2, 7, ""}, {"class A: a\nA(a:1)", "undefined_class", wire.ErrSyntax, 2, 3, "/a"},
	{"class A: a,b\nA(1,,2)", "unexpected_character", wire.ErrSyntax, 2, 5, "/b"}, {"class A: a\nA(,)", "unexpected_character", wire.ErrSyntax, 2, 3, "/a"},
	{"class A: a,b\nA(1 2)", "unexpected_character", wire.ErrSyntax, 2, 5, ""}, {"class A: a\nA(1]", "unexpected_character", wire.ErrSyntax, 2, 4, ""}, {"class A: a\nA(a=1]", "unexpected_character", wire.ErrSyntax, 2, 6, ""},
	{"class A: a\nA(1", wire.CodeUnexpectedEnd, wire.ErrTruncated, 2, 4, ""}, {"class A: a\nA(\"a\"=", wire.CodeUnexpectedEnd, wire.ErrTruncated, 2, 7, "/a"},
	// Classes.
	{"class A: a\nclass A: b\nA(1)", "class_defined_twice", wire.ErrDuplicateKey, 2, 7, ""}, {"class A: a,b,a\nA(1)", wire.CodeDuplicateKey, wire.ErrDuplicateKey, 1, 14, ""},
	{"class A: a\nclass B(A): x, \"a\"\n1", wire.CodeDuplicateKey, wire.ErrDuplicateKey, 2, 16, ""}, {"class B(A): c\nclass A: a\n1", "undefined_class", wire.ErrSyntax, 1, 9, ""},
	{"class A:\n\nA()", "no_members", wire.ErrSyntax, 1, 7, ""}, {"class A:;{}", "no_members", wire.ErrSyntax, 1, 7, ""}, {"class A: a;class B(A):\n1", "no_members", wire.ErrSyntax, 1, 18, ""},
	{"class 1A: x\n1", "unexpected_character", wire.ErrSyntax, 1, 7, ""}, {"class É: x\n1", "unexpected_character", wire.ErrSyntax, 1, 7, ""}, {"class true: x\n1", "unexpected_character", wire.ErrSyntax, 1, 7, ""},
	{"class class: x\n1", "unexpected_character", wire.ErrSyntax, 1, 7, ""}, {"class\nA: x\n1", "unexpected_character", wire.ErrSyntax, 1, 6, ""}, {"class A\n: x\n1", "unexpected_character", wire.ErrSyntax, 1, 8, ""},
	{"class A(B: x\n1", "undefined_class", wire.ErrSyntax, 1, 9, ""}, {"class A: a\nclass B(A: x\n1", "unexpected_character", wire.ErrSyntax, 2, 10, ""}, {"class A(): x\n1", "unexpected_character", wire.ErrSyntax, 1, 9, ""},
	{"class A: class\nA(1)", "reserved_name", wire.ErrSyntax, 1, 10, ""}, {"class A: 1a\nA(1)", "unexpected_character", wire.ErrSyntax, 1, 10, ""}, {"class A: é\nA(1)", "unexpected_character", wire.ErrSyntax, 1, 10, ""},
	{"class A: a-b\nA(1)", "unexpected_character", wire.ErrSyntax, 1, 11, ""}, {"class A: a b\nA(1,2)", "unexpected_character", wire.ErrSyntax, 1, 12, ""}, {"class A: a,,b\nA(1,2)", "unexpected_character", wire.ErrSyntax, 1, 12, ""},
	{"class A: ,a\nA(1)", "unexpected_character", wire.ErrSyntax, 1, 10, ""}, {"class A:a class B:b\n1", "unexpected_character", wire.ErrSyntax, 1, 11, ""}, {"class A: \"a\" \"b\"\n1", "unexpected_character", wire.ErrSyntax, 1, 14, ""},
	{"class A: a,b A(1,2)", "unexpected_character", wire.ErrSyntax, 1, 14, ""}, {"class A: a # b\n,c\n\nA(1,2)", "unexpected_character", wire.ErrSyntax, 2, 1, ""}, {"classA: a\n1", "undefined_class", wire.ErrSyntax, 1, 1, ""},
	{"class A: \"a\x01\"\n1", "control_character", wire.ErrSyntax, 1, 12, ""}, {"class A: \"\\x\"\n1", wire.CodeInvalidEscape, wire.ErrSyntax, 1, 11, ""}, {"class A: \"a", wire.CodeUnterminated, wire.ErrTruncated, 1, 12, ""},
	// After the value.
	{"[1] [2]", wire.CodeTrailingData, wire.ErrSyntax, 1, 5, ""}, {"[1]\nclass A: a", wire.CodeTrailingData, wire.ErrSyntax, 2, 1, ""}, {"1 2", wire.CodeTrailingData, wire.ErrSyntax, 1, 3, ""},
	// What is not JSON: stricter than the published reader.
	{"[01]", "leading_zero", wire.ErrSyntax, 1, 2, "/0"}, {"--1", "unexpected_character", wire.ErrSyntax, 1, 2, ""}, {"1.2.3", wire.CodeTrailingData, wire.ErrSyntax, 1, 4, ""}, {"\"a", wire.CodeUnterminated, wire.ErrTruncated, 1, 3, ""},
	{"\"a\nb\"", "control_character", wire.ErrSyntax, 1, 3, ""}, {"\"\\x41\"", wire.CodeInvalidEscape, wire.ErrSyntax, 1, 2, ""}, {"{a:1}", "unexpected_character", wire.ErrSyntax, 1, 2, ""}, {"[1,,]", "unexpected_character", wire.ErrSyntax, 1, 4, "/1"},
	{"[,]", "unexpected_character", wire.ErrSyntax, 1, 2, "/0"}, {"// c\n1", "unexpected_character", wire.ErrSyntax, 1, 1, ""}, {"[1\n2]", "unexpected_character", wire.ErrSyntax, 2, 1, ""}, {"[1;2]", "unexpected_character", wire.ErrSyntax, 1, 3, ""},
	// Bytes that are not UTF-8, in comments and header too.
	{"[1] # \xff\n", wire.CodeInvalidUTF8, wire.ErrUTF8, 1, 7, ""}, {"class A: \"\xff\"\nA(1)", wire.CodeInvalidUTF8, wire.ErrUTF8, 1, 11, ""}, {"[\"\xff\"]", wire.CodeInvalidUTF8, wire.ErrUTF8, 1, 3, ""},
}
