// Package sqlrows makes tables of the rows of database/sql queries: Values whose
// numbers are exact, whose members are in the order of the columns, and which
// every codec writes.
//
//	rows, err := db.QueryContext(ctx, "SELECT id, total, note FROM orders")
//	…
//	text, err := sqlrows.Marshal(gcf.Codec{}, rows)
//
// [Write] writes the rows as a stream, one row in memory at a time. With options, or to
// have the rows themselves, [Options.Table] returns them as a Value and [Options.Records]
// one after the other. All of them read to the end of the result set and close the
// rows; what Records returns does so when it is ranged over.
//
// # What becomes of a column
//
// Drivers hand out Go values of few types. Many give decimals, and some give all
// numbers, as text, since no Go type holds them exactly. What such text means is
// told by the type that the database gives the column:
//
//	NULL                                  null
//	int64, bool, time.Time                number, bool, time
//	float64                               number; NaN and infinities are errors, or
//	                                      text in a column of text
//	text of a column of a number type     number with all its digits
//	text of a JSON or JSONB column        the value that it spells
//	[]byte of a binary or unknown type    bytes
//	[]byte of any other type, string      string; an error unless it is UTF-8
//
// Number types are the integers, NUMERIC, DECIMAL, NUMBER, REAL, FLOAT and DOUBLE
// under the names that databases give them. Text of such a column that spells no
// number, such as PostgreSQL's NaN, stays a string, and so does JSON text that is
// malformed. [Options] decide otherwise for columns by their names.
//
// Values of other types that a driver may hand out are taken as [wire.FromGo]
// does. Columns of one name are an error: name them with AS.
package sqlrows
