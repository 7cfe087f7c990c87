// Package playground has the verb playground. It imports cli, not other verbs.
package playground

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/internal/playground/site"
)

// New returns the verb playground.
func New(c *cli.Console) *cobra.Command {
	var addr, dir string
	cmd := cli.NewCommand("playground", cli.AtMost(0), func(*cobra.Command, []string) error {
		return servePlayground(c, site.Files(), addr, dir)
	})
	cmd.Flags().StringVar(&addr, "listen", "127.0.0.1:0", "serve on this address; port 0 is a free one")
	cmd.Flags().StringVar(&dir, "out-dir", "", "folder to write the files to, instead of serving them")
	return cmd
}

// servePlayground serves the files until the process ends, or writes them to dir.
func servePlayground(c *cli.Console, files fs.FS, addr, dir string) error {
	if files == nil {
		return errors.New("this command was built without the playground; \"make playground\" in the repository builds one with it, as bin/wirekit")
	}
	if dir != "" {
		if err := writeFolder(dir, files); err != nil {
			return err
		}
		c.Note("the playground is in %s; serve it with any web server", dir)
		return nil
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	c.Note("the playground is at http://%s/ until this is interrupted", l.Addr())
	server := &http.Server{Handler: site.Handler(files), ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(l)
}

// writeFolder writes files, which lie in one folder, to dir, over what has their
// names there.
func writeFolder(dir string, files fs.FS) error {
	entries, err := fs.ReadDir(files, ".")
	if err = cmp.Or(os.MkdirAll(dir, 0o777), err); err != nil {
		return err
	}
	for _, entry := range entries {
		data, err := fs.ReadFile(files, entry.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, entry.Name()), data, 0o666); err != nil {
			return fmt.Errorf("the playground: %w", err)
		}
	}
	return nil
}
