// Package pack makes context packs of folders, and writes the files of a pack
// to a folder again.
//
// [Options.Pack] walks an [fs.FS], decides what is worth a model's attention,
// and returns a [bcp.Payload] with a FILE_TREE block of what was taken, an
// outline of each Go package, a CODE block for each file and, where the file has
// one, an outline as the block's summary, so that a budget of package render can
// show outlines where the files do not fit. A [Report] names what was left out,
// and why, and what each file's rank comes from.
//
// [Options.Sections] takes what is not a file, such as differences and a log;
// [ReadConversation] reads them from the JSON of chats.
//
// # Outlines
//
// A Go package is outlined as a whole: its exported declarations with the first
// sentence of their comments, and as shorter summaries the heads alone, the
// names, and the sentence about the package. A Go file's own summary lists what
// it does not export. Programs in other languages have the heads that a scanner
// of structure finds, and their names; tables, JSON and logs their shape and
// first rows; prose its headings.
//
// # Ranks
//
// A file has the priority of its [File.Class]. Within it, what many others import or
// what changed often, by [Options.Changes], is worth more, by logarithms. Rank
// and order are apart: blocks are by path, whatever they are worth.
//
// # What is left out
//
// Version control and dependency folders, what .gitignore files name, lock
// files, minified and generated files, files that hold keys or passwords by
// their name, binary files, files that are not UTF-8, files above a size,
// symbolic links and whatever is not a regular file. A folder that is left out
// means all that it holds. Files that are named one by one are taken even
// if they are ignored, lock files, minified or generated.
//
// The rules of .gitignore are those of gitignore(5), by bytes and with regard
// to case unless [Options.IgnoreCase] is set. They are read from the root of the
// file system downwards, after [Options.Ignore] and .git/info/exclude where that
// is a file; files that git tracks although they are ignored are left out, too.
// So is a folder that holds the data of a repository, whatever its name is.
//
// # Secrets
//
// Tokens of well-known shapes are replaced in place, and listed by file, line
// and rule, never by value: keys of AWS, Anthropic, Google, OpenAI, SendGrid
// and Stripe, storage keys of Azure, tokens of GitHub, GitLab, Hugging Face,
// npm, PyPI and Slack, JSON Web Tokens, private keys in PEM and OpenPGP form,
// and passwords in URLs. That is a net with wide meshes, no audit.
//
// # Determinism
//
// Files are in the order of their paths, by bytes. Nothing of the clock, the
// host or the folder's own name goes into a pack: the same files give the same
// bytes.
package pack
