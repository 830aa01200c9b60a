//! The native command-line tool.
