//! What the artifact's JSON may not say, refused while it is parsed: keys that stand twice in an
//! object, and concurrencies that are not whole numbers.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};

/// Requests in flight, as the key of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Concurrency(pub(super) u32);

impl FromStr for Concurrency {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<u32>() {
            // One spelling each, so that `4` and `04` cannot both be there.
            Ok(value) if value > 0 && value.to_string() == text => Ok(Self(value)),
            _ => {
                let shown: String = text.chars().take(40).collect();
                Err(format!("`{shown}` is not a concurrency: write a whole number above 0"))
            }
        }
    }
}

/// An object whose keys are read as `K`, each at most once.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Unique<K, V>(pub(super) BTreeMap<K, V>);

impl<K: Ord, V> Default for Unique<K, V> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<'de, K, V> Deserialize<'de> for Unique<K, V>
where
    K: FromStr<Err = String> + Ord,
    V: Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(UniqueVisitor(PhantomData))
    }
}

struct UniqueVisitor<K, V>(PhantomData<(K, V)>);

impl<'de, K, V> Visitor<'de> for UniqueVisitor<K, V>
where
    K: FromStr<Err = String> + Ord,
    V: Deserialize<'de>,
{
    type Value = Unique<K, V>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut map = BTreeMap::new();
        while let Some(key) = entries.next_key::<String>()? {
            let parsed = key.parse::<K>().map_err(de::Error::custom)?;
            if map.insert(parsed, entries.next_value()?).is_some() {
                let shown: String = key.chars().take(40).collect();
                return Err(de::Error::custom(format!("the key `{shown}` is there twice: keep one")));
            }
        }
        Ok(Unique(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Unique<Concurrency, f64>, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_concurrency_has_one_spelling_and_stands_once() {
        assert_eq!(read(r#"{"4": 1, "16": 2}"#).unwrap().0.len(), 2);
        assert!(read(r#"{"4": 1, "4": 2}"#).unwrap_err().contains("the key `4` is there twice"));
        for key in ["0", "04", "+4", "4.0", "-1", "", "four", "4294967296"] {
            let error = read(&format!("{{\"{key}\": 1}}")).unwrap_err();
            assert!(error.contains(&format!("`{key}` is not a concurrency")), "{error}");
        }
    }
}
