package pack

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/store"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/internal/repo/git"
	"github.com/wirekit/wirekit/pack"
	"github.com/wirekit/wirekit/wire"
)

// sources reads what the pack has beside the files: what git knows, the
// conversation, the earlier pack.
func (p *packing) sources(ctx context.Context, folder string, names []string) error {
	if err := p.fromGit(ctx, folder, names); err != nil {
		return err
	}
	if p.conversation != "" {
		src, err := os.ReadFile(p.conversation)
		if err != nil {
			return err
		}
		turns, err := pack.ReadConversation(src)
		if err != nil {
			return fmt.Errorf("%s: %w", p.conversation, err)
		}
		for i, turn := range turns {
			s := pack.Section{Body: turn}
			if i == len(turns)-1 {
				s.Priority = bcp.PriorityHigh
			}
			p.options.Sections = append(p.options.Sections, s)
		}
	}
	if p.since == "" {
		return nil
	}
	src, err := os.ReadFile(p.since)
	if err != nil {
		return err
	}
	o := bcp.DecodeOptions{}
	if p.store != "" {
		o.Store = store.Dir{Path: p.store}
	}
	if p.options.Previous, err = o.Decode(ctx, src); err != nil {
		return fmt.Errorf("%s: %w", p.since, err)
	}
	return nil
}

// fetchTime is how long a repository that is elsewhere may take.
const fetchTime = 5 * time.Minute

// fetched returns the arguments with the folder of a repository in the place of what says
// where it is.
func (p *packing) fetched(ctx context.Context, c *cli.Console, args []string) ([]string, error) {
	for _, arg := range args {
		if _, err := os.Lstat(arg); err == nil {
			continue
		}
		remote, ok, err := git.ParseRemote(arg)
		switch {
		case !ok:
			continue
		case err != nil:
			return nil, cli.Usage(err)
		case len(args) > 1 || p.folder != "":
			return nil, cli.Usagef("%s is a repository elsewhere, which is packed alone: take files of it with --include", remote)
		case p.diffed || p.staged || p.log > 0:
			return nil, cli.Usagef("of %s one commit is fetched, which has no differences and no log", remote)
		}
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, err
		}
		defer c.Progress("fetching "+remote.String(), cli.NoCount)()
		ctx, cancel := context.WithTimeout(ctx, fetchTime)
		defer cancel()
		taken, give := c.TakeSignals() // so that nothing half fetched is left
		defer give()
		go func() {
			select {
			case <-taken:
				cancel()
			case <-ctx.Done():
			}
		}()
		folder, err := remote.Fetch(ctx, filepath.Join(cache, "wirekit", "repositories"))
		if err != nil {
			return nil, err
		}
		c.Note("%s is at %.12s", remote, filepath.Base(folder))
		p.remote = true
		return []string{folder}, nil
	}
	return args, nil
}

// fromGit adds what git knows of the folder. Without git, or outside of a
// repository, only what was asked for is missed.
func (p *packing) fromGit(ctx context.Context, folder string, names []string) error {
	asked := p.diffed || p.staged || p.log > 0
	if !asked && !p.ranked() || p.remote {
		return nil
	}
	repository, err := git.Open(ctx, folder)
	if errors.Is(err, git.ErrNone) && !asked {
		return nil
	}
	if err != nil {
		return err
	}
	if p.options.Changes, err = repository.Changes(ctx); err != nil && asked {
		return err
	}
	repository = repository.Paths(names...)
	if p.diffed || p.staged {
		changes, err := repository.Diff(ctx, git.Range{Revision: p.diff, Staged: p.staged})
		if err != nil {
			return err
		}
		for i := range changes {
			p.options.Sections = append(p.options.Sections, pack.Section{Body: &changes[i].Diff, Summary: changes[i].Summary(), Priority: bcp.PriorityHigh})
		}
	}
	if p.log > 0 {
		commits, err := repository.Log(ctx, p.log)
		if err != nil {
			return err
		}
		p.options.Sections = append(p.options.Sections, logSection(commits))
	}
	return nil
}

// logSection lists commits with their files, or by their subjects.
func logSection(commits []git.Commit) pack.Section {
	var all, subjects strings.Builder
	for _, c := range commits {
		head := c.Hash + " " + c.Subject + "\n"
		subjects.WriteString(head)
		all.WriteString(head)
		for _, name := range c.Files {
			all.WriteString("  " + name + "\n")
		}
	}
	return pack.Section{Body: &bcp.Document{Title: "git log", Content: []byte(all.String()), FormatHint: "plain"}, Summary: subjects.String()}
}

// bestData writes structured data in the format with the fewest tokens.
func bestData(d *bcp.StructuredData) (text, format string) {
	if d.Format == "json" {
		if v, err := wire.ParseJSON(d.Content); err == nil {
			return cli.Fewest(v)
		}
	}
	return "", ""
}
