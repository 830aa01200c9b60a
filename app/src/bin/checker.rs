//! The page's web worker: see the library's documentation.

fn main() {
    app::worker::start();
}
