//! TLS for everything that connects: rustls with ring, and the machine's own list of certificates.

use rustls::ClientConfig;
use rustls::crypto::ring;
use rustls_platform_verifier::ConfigVerifierExt as _;

/// Makes ring the provider of this process. Must come before any connection is set up.
pub(super) fn prepare() {
    // An error says that there is one already, which then is this one.
    let _ = ring::default_provider().install_default();
}

/// A client that trusts whom the machine trusts.
///
/// # Errors
/// When the machine's certificates cannot be read.
pub(super) fn client() -> Result<ClientConfig, rustls::Error> {
    prepare();
    ClientConfig::with_platform_verifier()
}
