package spec

import "kitsoki/runtime/artifact"

// readRow is host.file.read: a text file's content.
func readRow() Call {
	return Call{
		Name:   "host.file.read",
		Effect: Read,
		Doc:    "The content of a text file inside the working directory. A file of more than 1 MiB, or that is no text, is an error.",
		Params: []Param{filePath()},
		Results: []Result{
			{Name: "content", Type: artifact.TypeString, Doc: "The file's text; empty when there is no such file."},
			{Name: "exists", Type: artifact.TypeBool, Doc: "There is such a file."},
		},
	}
}

// writeRow is host.file.write: a text file replaced as a whole.
func writeRow() Call {
	return Call{
		Name:   "host.file.write",
		Effect: Write,
		Doc:    "Writes a text file inside the working directory, whole or not at all. Directories on the way are made; nothing below .git is written.",
		Params: []Param{
			filePath(),
			{Name: "content", Type: artifact.TypeString, Required: true, Doc: "The file's new text."},
		},
		Results: []Result{
			{Name: "created", Type: artifact.TypeBool, Doc: "There was no such file before."},
			{Name: "bytes", Type: artifact.TypeInt, Doc: "How many bytes were written."},
		},
	}
}

func filePath() Param {
	return Param{Name: "path", Type: artifact.TypeString, Required: true, Doc: "Relative to the working directory and inside it; no symbolic link leads out."}
}
