"""The release that this package is of, and whose libraries it opens."""

VERSION = "0.1.0"
