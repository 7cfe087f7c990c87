// Package fold says once what a value repeats: it turns a value into another
// one that says the same in fewer tokens, and back. It works on values, so
// every codec carries its result, JSON included, and no reader needs a new
// syntax.
//
// Three things are folded:
//
//   - Columns. A member that has the same value in all objects at one path is
//     said once, as is one that follows from another member of the same object:
//     "url": "https://api.github.com/users/" and the login. What all texts of a
//     member begin and end with is said once too.
//   - Texts. Strings, and beginnings of strings, that come again and again
//     are in a legend; $7 at the start of a string means entry 7. If that saves more,
//     words and phrases are, and $$7 anywhere in a string means entry 7.
//   - Times, if asked for: 2026-01-09T12:05:00Z becomes 20260109T120500Z.
//
// # What a program calls
//
//   - Values: [Fold] and [Unfold]; [IsFolded] tells
//     a folded value from others.
//   - Documents: [Codec] folds before another codec writes and unfolds after it
//     has read.
//   - What a model answers with references in it: [ParseLegend], [Legend.Expand],
//     [Legend.ExpandText].
//
// # The wrapper
//
// The folded value is an object. Only folded and data are always there; a codec
// may write them in any order:
//
//	{
//	  "folded": "A leading $n stands for legend entry n. …",
//	  "legend": {"$1": "https://api.github.com/repos/", …},
//	  "constants": {"items[].user": {"type": "User", …}, …},
//	  "templates": {"items[].user": {"url": "https://api.github.com/users/<login>", …}, …},
//	  "times": "basic",
//	  "data": …
//	}
//
// For formats that have tables the lists are arrays of rows instead, with the
// members ref and text, at and members, or at, member and value, and index if
// positions are kept. All shapes are read. docs/fold.md has the grammar.
//
// folded is a sentence for a reader who does not know this package, and marks
// the wrapper.
//
// # Paths
//
// A path leads from data to objects: keys with dots between, and [] for every
// element of an array. A key that is empty or has a character other than
// letters, digits, "_", "-", "$", "/", "@" and ":" is written as a JSON string.
//
//	items[].user   []   result."a.b"[].metric
//
// A rule applies to every object that its path leads to, in data as it is;
// what rules restore is not searched again.
//
// # Templates
//
// <name> in a template is the text of the object's own member of that name, a
// string or a number; it is in a template once. "<<" is a "<", and "==" at
// the start a "=". A template that is = and a name copies that member, whatever
// scalar it is. The rules of one object apply in their order, constants before
// templates.
//
// A template of a member with its own name in it is a frame: the objects that
// have the member show what is in the frame. Frames apply before all else, so that
// what follows from such a member follows from all of it; a member has one.
//
// Names after the frame's own say what is shown: "<Output<Test>>" that <Test> in
// the Output that is shown is the object's own Test, and "<Test<=>>" that a Test
// that is shown as = is that of the object before it at the path. A name of a
// member that the object lacks is text. Frames with names in them apply after
// those without, in their order.
//
// # References
//
// A reference is a sigil, an optional name and a number: $7, _7, $q7. In data,
// a string that begins with one means the entry's text followed by the rest of
// the string. If the rest begins with a digit or a tilde, a tilde
// is before it ($7~9 is entry 7 and "9"). A string that begins with more
// than one sigil, the name and a digit means itself without its first
// sigil. Entries hold their text in full, so there are neither chains nor
// cycles. Without a legend no string is a reference.
//
// A legend whose first reference is $$1, or has another sigil twice, is for references
// anywhere in strings: each $$, the name and a number, with a tilde before a rest as
// above. Nothing is escaped: a writer takes a sigil that no string has in that way, or
// leaves such references out.
//
// # What comes back
//
// [Unfold] of the result of [Fold] is Equal to the value. It is Identical,
// member order included, unless rules were found and Options.KeepOrder was not
// set: a restored member is last.
//
// # When not to fold
//
// Below about two kilobytes the legend costs more than it saves. A legend
// differs from answer to answer, so prompt caches share less. A model has to
// look texts up, and may answer with a reference: [Legend.Expand] resolves it.
// Small models do worse with references than with repetition.
package fold
