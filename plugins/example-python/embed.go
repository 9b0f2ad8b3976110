// Package examplepython holds the Python files that a processor model in Python needs
// beside it, for pathspan model new. The folder is an example of such a model as well:
//
//	pathspan model check plugin:plugins/example-python/example.py
package examplepython

// This file embeds them.

import "embed"

//go:generate protoc -I ../.. --descriptor_set_out=model.desc procmodels/pluginpb/model.proto

// SDK holds pathspan_model.py, pathspan_certificate.py and model.desc, the schema
// procmodels/pluginpb/model.proto as a descriptor set.
//
//go:embed pathspan_model.py pathspan_certificate.py model.desc
var SDK embed.FS
