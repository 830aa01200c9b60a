//! Types and arithmetic that the scorer and the dashboard share.
