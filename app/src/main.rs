//! The page: see the library's documentation.

fn main() {
    app::app::start();
}
