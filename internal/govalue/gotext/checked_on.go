//go:build race || wirekitdebug

package gotext

// checked says that variables are used as what they are, and within their lists.
const checked = true
