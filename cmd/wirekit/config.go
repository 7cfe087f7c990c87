package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/wire"
	"github.com/wirekit/wirekit/yaml"
)

// configName is the file that has flags for every way to a model, by their long names. An
// object under the name of a group of verbs is for that group.
const configName = "wirekit.yaml"

// configure sets the flags that are not given from --config, or else from the files that
// are there.
func (f *rewriting) configure(flags *pflag.FlagSet) error {
	if f.config != "" {
		return fromConfig(flags, f.config, f.group)
	}
	for _, file := range f.configFiles() {
		if err := file.read(flags); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// A configFile is one that is read where none is named.
type configFile struct {
	name string
	read func(flags *pflag.FlagSet) error
}

// configFiles are the user's file, and then that of the working folder, which counts where
// it narrows what is rewritten.
func (f *rewriting) configFiles() (files []configFile) {
	if dir, err := os.UserConfigDir(); err == nil {
		name := filepath.Join(dir, "wirekit", configName)
		files = append(files, configFile{name, func(flags *pflag.FlagSet) error { return fromConfig(flags, name, f.group) }})
	}
	return append(files, configFile{configName, func(*pflag.FlagSet) error { return eachSetting(configName, f.group, f.narrow) }})
}

// fromConfig sets flags that are not given, from a file of the user's.
func fromConfig(flags *pflag.FlagSet, file, group string) error {
	given := make(map[string]bool)
	flags.Visit(func(flag *pflag.Flag) { given[flag.Name] = true })
	return eachSetting(file, group, func(name, text string, own bool) error {
		flag := flags.Lookup(name)
		switch {
		case name == "config" || flag == nil && own && name != "upstream": // which not every verb of llm has
			return fmt.Errorf("there is no setting %q", name)
		case flag == nil || given[name]: // it may be one of another group
			return nil
		}
		return settingError(name, text, flag.Value, flags.Set(name, text))
	})
}

// settingError is the error of a setting that its flag does not take.
func settingError(name, text string, value pflag.Value, err error) error {
	if takes := wanted[value.Type()]; err != nil && takes != "" {
		return fmt.Errorf("%s is %s, not %q", name, takes, text)
	}
	return err
}

// eachSetting calls f for the settings of a file: those for all groups, and then those that
// the group has of its own. A list is a call for each of its elements.
func eachSetting(file, group string, f func(name, text string, own bool) error) error {
	src, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	top, err := yaml.Codec{}.Decode(src)
	if err == nil && top.Kind() != wire.KindObject {
		err = errors.New("it is not a list of names and settings")
	}
	own, _ := top.Get(group)
	for i, v := range []wire.Value{top, own} {
		for name, setting := range v.Members() {
			if _, isGroup := ways[name]; err != nil || i == 0 && isGroup {
				continue
			}
			list := []wire.Value{setting}
			if setting.Kind() == wire.KindArray {
				list = slices.Collect(setting.Elements())
			}
			for _, e := range list {
				text := string(wire.AppendJSON(nil, e))
				if e.Kind() == wire.KindString {
					text = e.Text()
				}
				if err == nil {
					err = f(name, text, i == 1)
				}
			}
		}
	}
	if err != nil {
		return usageError{fmt.Errorf("%s: %w", file, err)}
	}
	return nil
}

// narrow takes a setting of a folder's file if it makes less be rewritten. Whose folder it
// is is not known, so nothing else in it counts.
func (f *rewriting) narrow(name, text string, _ bool) error {
	switch name {
	case "mode":
		if text == "off" {
			f.mode = text
		}
	case "min-tokens":
		var least amount
		err := least.Set(text)
		f.minTokens = max(f.minTokens, least)
		return settingError(name, text, &least, err)
	case "min-saving":
		var least percentage
		err := least.Set(text)
		f.minSaving = max(f.minSaving, least)
		return settingError(name, text, &least, err)
	case "formats":
		f.only = append(f.only, strings.Split(text, ",")...)
	case "tool":
		rule, err := mcp.ParseRule(text)
		if err != nil {
			return err
		}
		if rule.Mode == mcp.ModeOff {
			f.rules = slices.Insert(f.rules, 0, rule.Tool+"=off")
		}
	}
	return nil
}

// narrowed returns the candidates that the folder's file leaves.
func (f *rewriting) narrowed(formats []string) []string {
	if f.only == nil {
		return formats
	}
	return slices.DeleteFunc(slices.Clone(formats), func(name string) bool { return !slices.Contains(f.only, strings.TrimSuffix(name, "+fold")) })
}
