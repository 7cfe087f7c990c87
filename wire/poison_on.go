//go:build race || wirekitdebug

package wire

// poison says that memory that may be reused is overwritten instead, so that
// a Value kept beyond its time does not pass for another.
const poison = true
