package pack

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
)

// TestNotebooks: of a notebook the cells are shown, in the comments of its language, without
// what they put out, however large that is; what is none is text as it is, and reported.
func TestNotebooks(t *testing.T) {
	output := `"outputs": [{"output_type": "display_data", "data": {"image/png": "` + strings.Repeat("iVBORw0KGgo", 1<<17) + `"}}]`
	four := func(suffix string) string {
		return fmt.Sprintf(`{"cells": [
			{"cell_type": "markdown", "metadata": {}, "source": ["# Title\n", "\n", "Some words.\n"]},
			{"cell_type": "code", "execution_count": 1, "metadata": {}, "source": ["import util\n", "def load(path):\n", "    return open(path)"], %s},
			{"cell_type": "code", "source": [], "outputs": []},
			{"cell_type": "markdown", "source": "## Second"}, {"cell_type": "raw", "source": "raw"}],
			"metadata": {"kernelspec": {"language": "x"}, "language_info": {"file_extension": "%s"}}, "nbformat": 4, "nbformat_minor": 5}`, output, suffix)
	}
	three := `{"worksheets": [{"cells": [{"cell_type": "heading", "level": 2, "source": ["Old"]},
		{"cell_type": "code", "input": ["def old():\n", "    pass"], ` + output + `}]}], "nbformat": 3, "metadata": {"name": ""}}`
	const script = "# %% [markdown]\n# # Title\n# \n# Some words.\n\n# %%\nimport util\ndef load(path):\n    return open(path)\n\n# %% [markdown]\n# ## Second\n\n# %% [markdown]\n# raw\n\n"
	files := text("a/four.ipynb", four(".py"), "r.ipynb", four(".r"), "s.ipynb", four(".scala"), "none.ipynb", four(""), "three.IPYNB", three,
		"util.py", "def used(): pass\n", "broken.ipynb", `{"cells": [{"cell_type": "code", "source`, "other.ipynb", `{"a": 1}`, "list.ipynb", "[]", "empty.ipynb", "",
		"large.ipynb", `{"cells": [{"cell_type": "code", "source": "`+strings.Repeat("x = 1 ", 1<<18)+`"}]}`)
	p, report := packed(t, Options{}, files)
	shown := make(map[string]string)
	for _, f := range report.Files {
		shown[f.Path] = string(p.Blocks[f.Block].Body.(*bcp.Code).Content)
		if strings.HasSuffix(f.Path, "ipynb") {
			require.Equal(t, classSource, f.Class, f.Path)
		}
	}
	require.Equal(t, script, shown["a/four.ipynb"])
	require.Equal(t, script, shown["r.ipynb"])
	require.Equal(t, script, shown["none.ipynb"])
	require.Equal(t, strings.ReplaceAll(strings.ReplaceAll(script, "# %", "// %"), "\n# ", "\n// "), shown["s.ipynb"])
	require.Equal(t, "# %% [markdown]\n# ## Old\n\n# %%\ndef old():\n    pass\n\n", shown["three.IPYNB"])
	require.Equal(t, []string{"broken.ipynb", "empty.ipynb", "list.ipynb", "other.ipynb"}, report.Broken)
	require.Equal(t, `{"a": 1}`, shown["other.ipynb"])
	require.Equal(t, map[string]Reason{"large.ipynb": reasonLarge}, reasons(report))
	for _, f := range report.Files {
		switch f.Path {
		case "a/four.ipynb":
			require.Equal(t, "# Title\n## Second\ndef load(path)", *p.Blocks[f.Block].Summary)
			require.Equal(t, "python", p.Blocks[f.Block].Body.(*bcp.Code).Lang)
		case "util.py":
			require.Equal(t, 2, f.Importers) // the ones in Python
		}
	}
}
