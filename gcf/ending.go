package gcf

// checkEnd is checkDeferred for a document of the generic profile.
func (d *decoder) checkEnd(cut bool) error {
	if len(d.deferred) == 0 {
		return nil
	}
	return d.CheckDeferred(&d.Ending, cut)
}

// checkEnd is checkDeferred for a graph. The header of a stream has no counts;
// that the summary's are right was found before.
func (d *graphDecoder) checkEnd(cut bool) error {
	if !d.deferred {
		return nil
	}
	cut = cut && d.section != sectionHeader // a header alone is an empty graph
	d.Counted = d.HasSummary && d.symbols >= 0 && d.edges >= 0
	return d.CheckDeferred(&d.Ending, cut)
}
