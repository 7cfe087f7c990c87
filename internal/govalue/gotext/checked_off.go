//go:build !race && !wirekitdebug

package gotext

const checked = false
