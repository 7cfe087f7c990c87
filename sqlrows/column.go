package sqlrows

import (
	"database/sql"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// A column is how the text of a column is read.
type column uint8

const (
	unknown column = iota // bytes stay bytes, strings strings
	binary
	text
	number       // if it spells one
	strictNumber // an error if not
	jsonText
)

// column decides by what the caller says, or else by the database's type.
func (o Options) column(t *sql.ColumnType) column {
	switch o.Kinds[t.Name()] {
	case wire.KindNumber:
		return strictNumber
	case wire.KindString:
		return text
	case wire.KindBytes:
		return binary
	}
	c := columnOf(t.DatabaseTypeName())
	if c == jsonText && o.JSONText {
		return text
	}
	return c
}

// numberTypes are the names that databases give the types of numbers, without
// what may come after them in parentheses.
var numberTypes = map[string]bool{
	"INT": true, "INTEGER": true, "TINYINT": true, "SMALLINT": true, "MEDIUMINT": true, "BIGINT": true, "HUGEINT": true,
	"INT1": true, "INT2": true, "INT3": true, "INT4": true, "INT8": true, "INT16": true, "INT32": true, "INT64": true, "INT128": true, "INT256": true,
	"UINT8": true, "UINT16": true, "UINT32": true, "UINT64": true, "UINT128": true, "UINT256": true,
	"SMALLSERIAL": true, "SERIAL": true, "BIGSERIAL": true, "YEAR": true, "OID": true,
	"NUMERIC": true, "DECIMAL": true, "DEC": true, "NUMBER": true, "FIXED": true, "BIGNUMERIC": true, "BIGDECIMAL": true,
	"REAL": true, "FLOAT": true, "FLOAT4": true, "FLOAT8": true, "FLOAT32": true, "FLOAT64": true,
	"DOUBLE": true, "DOUBLE PRECISION": true, "BINARY_FLOAT": true, "BINARY_DOUBLE": true,
}

// columnOf returns how text of a database's type is read.
func columnOf(name string) column {
	name, _, _ = strings.Cut(strings.ToUpper(name), "(")
	name = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(name), "UNSIGNED "), " UNSIGNED"))
	switch {
	case name == "":
		return unknown
	case numberTypes[name]:
		return number
	case name == "JSON" || name == "JSONB":
		return jsonText
	case name == "RAW" || name == "LONG RAW" || name == "BYTEA" || name == "BYTES" || name == "IMAGE" || name == "BIT" ||
		strings.HasSuffix(name, "BLOB") || strings.HasSuffix(name, "BINARY") || name == "GEOMETRY":
		return binary
	}
	return text
}

// value returns a cell as a Value.
func (r *reader) value(c column, cell any) (wire.Value, error) {
	switch cell := cell.(type) {
	case nil:
		return wire.Null(), nil
	case int64:
		return wire.Int(cell), nil
	case float64:
		if math.IsNaN(cell) || math.IsInf(cell, 0) {
			name := strconv.FormatFloat(cell, 'g', -1, 64)
			if c == text {
				return wire.String(name), nil
			}
			return wire.Value{}, noNumber(name)
		}
		return wire.Float(cell), nil
	case bool:
		return wire.Bool(cell), nil
	case time.Time:
		return wire.Time(cell), nil
	case []byte:
		if c == unknown || c == binary {
			return wire.Bytes(cell), nil
		}
		return r.textValue(c, string(cell))
	case string:
		if c == binary {
			return wire.Bytes([]byte(cell)), nil
		}
		return r.textValue(c, cell)
	}
	return wire.FromGo(cell)
}

// textValue returns what text of such a column means.
func (r *reader) textValue(c column, s string) (wire.Value, error) {
	switch c {
	case number, strictNumber:
		if v, ok := numberOf(s); ok {
			return v, nil
		}
		if c == strictNumber {
			return wire.Value{}, noNumber(strconv.Quote(s))
		}
	case jsonText:
		if v, err := (wire.JSON{Limits: r.Limits}).Decode([]byte(s)); err == nil {
			return v, nil
		}
	}
	if !utf8.ValidString(s) {
		return wire.Value{}, fault(wire.CodeInvalidUTF8, wire.ErrUTF8, "text that is not UTF-8", "wire.KindBytes for the column in Options.Kinds takes it as bytes")
	}
	return wire.String(s), nil
}

func noNumber(text string) error {
	return fault("not_a_number", wire.ErrRange, text+" is no number of the data model", "wire.KindString for the column in Options.Kinds takes its text")
}

// numberOf returns the number that a database spells, see [scan.Respell]. All digits stay.
func numberOf(s string) (wire.Value, bool) {
	v, err := wire.Number(s)
	if err != nil {
		if text, ok := scan.Respell(s); ok {
			v, err = wire.Number(text)
		}
	}
	return v, err == nil
}
