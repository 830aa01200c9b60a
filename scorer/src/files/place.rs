//! Where files that can be made again are kept.

use std::env;
use std::path::PathBuf;

/// The project's folder among the user's caches: under `XDG_CACHE_HOME` where that is set, else under
/// `~/.cache`. It need not be there yet; none when neither is known.
#[must_use]
pub fn user_cache() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(caches.join("blis-accuracy-dashboard"))
}
