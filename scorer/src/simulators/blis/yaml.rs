//! Reading YAML into JSON values: scenarios and Result documents. JSON is YAML, so nothing needs to be written in it.

use serde_json::Value;

/// The most values in a text: some 400,000 requests. The reader's own limit is below what a point at concurrency 2,048 has.
const MOST_VALUES: usize = 5_000_000;

/// The first document of a text.
///
/// # Errors
/// What is wrong, and where.
pub fn value(text: &str) -> Result<Value, String> {
    documents(text)?.into_iter().next().ok_or_else(|| "it is empty".to_owned())
}

/// Every document of a stream.
///
/// # Errors
/// What is wrong, and where.
pub fn documents(text: &str) -> Result<Vec<Value>, String> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! { max_nodes: MOST_VALUES, max_events: 2 * MOST_VALUES },
    };
    serde_saphyr::from_multiple_with_options(text, options).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_for_each_request_of_the_largest_point_fits() {
        let row = "- { id: 1, input_tokens: 2, output_tokens: 3, ttft_ms: 4.5, e2e_ms: 6.5, finish_reason: stop }\n";
        let rows = value(&row.repeat(20_480)).unwrap();
        assert_eq!(rows.as_array().map(Vec::len), Some(20_480));
        assert_eq!(rows[0]["e2e_ms"], 6.5);
    }

    #[test]
    fn aliases_that_multiply_and_endless_nesting_are_refused() {
        let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..10 {
            let inner = vec![format!("*a{}", level - 1); 10].join(", ");
            bomb = format!("{bomb}a{level}: &a{level} [{inner}]\n");
        }
        assert!(value(&bomb).is_err());
        assert!(value(&"[".repeat(100_000)).is_err());
        assert!(value("a: [1, 2").is_err());
        assert!(value("").is_err());
    }
}
