// Package browser tests the playground's page in a real browser, and the package for
// Node. Its tests have the build tag browser; "make browser" runs them.
package browser
