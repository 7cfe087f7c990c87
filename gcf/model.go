package gcf

// marshalModel returns the document of v, and whether v is one of the types of this
// package that have a form of their own: Marshal writes them in that form, not as the
// structs they are.
func marshalModel(v any) (doc []byte, ok bool, err error) {
	switch m := v.(type) {
	case *Graph:
		doc, err = Encode(m)
	case Graph:
		doc, err = Encode(&m)
	case *Delta:
		doc, err = EncodeDelta(m)
	case Delta:
		doc, err = EncodeDelta(&m)
	case *Unchanged:
		doc, err = EncodeUnchanged(m)
	case Unchanged:
		doc, err = EncodeUnchanged(&m)
	default:
		return nil, false, nil
	}
	return doc, true, err
}

// unmarshalModel reads a document into v if v is one of the types of this package whose
// documents hold no value.
func unmarshalModel(src []byte, v any) (ok bool, err error) {
	switch m := v.(type) {
	case *Delta:
		return true, decodeTo(m, src, DecodeDelta)
	case *Unchanged:
		return true, decodeTo(m, src, DecodeUnchanged)
	}
	return false, nil
}

func decodeTo[T any](to *T, src []byte, decode func([]byte) (*T, error)) error {
	decoded, err := decode(src)
	if err == nil {
		*to = *decoded
	}
	return err
}
