//go:build !race && !wirekitdebug

package wire

const poison = false
