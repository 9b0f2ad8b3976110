package main

// This file brings in the packages of processor models, which register themselves.

import _ "pathspan/procmodels/shim"
