package main

// This file is the help topic about variables of the environment.

import "github.com/spf13/cobra"

// environment explains the variables that pathspan reads.
const environment = `  PATHSPAN_CLANG            clang to use where --clang names none: a path, a command or a
                            version
  PATHSPAN_CACHE            folder of what is kept between runs, off for none (default:
                            pathspan in the user's caches)
  PATHSPAN_PLUGINS          more folders of plugins, and plugins, separated by colons
  PATHSPAN_PLUGIN_TIMEOUT   how long a plugin may take for one answer, such as 60s
  PATHSPAN_CC               plain to have cc and c++ build without profiling
  PATHSPAN_CC_FLAGS         options of cc and c++: --memory, --branches, --paths-only, --threads,
                            --vectorize, --plan=FILE, --quiet
  PATHSPAN_CC_QUIET         not empty to silence warnings of cc and c++
  PATHSPAN_FILE             where an instrumented program writes its counts
  PATHSPAN_DEBUG            print where an internal error arose
  NO_COLOR                  set to anything: no colours, unless --color always asks for them
  TERM                      dumb: the same
  TMPDIR                    folder for intermediate files
  SOURCE_DATE_EPOCH         date of man pages, in seconds since 1970; none without it`

func environmentTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "environment",
		Short: "Variables of the environment",
		Long:  "Pathspan looks at these variables of the environment:\n\n" + environment,
	}
}
