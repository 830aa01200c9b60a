//! The page's views other than the Overview: see the library's documentation.

fn main() {
    app::explore::start();
}
