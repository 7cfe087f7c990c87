package gcx

// NextRow is one step of Rows.
func (d *Decoder) NextRow() ([]string, error) { return d.nextRow() }
