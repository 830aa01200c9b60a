//! Reads parsed JSON, value by value.
//!
//! Derived readers would be a third of the page's module: they carry a way out at every field. Here a
//! value that is not as it should be is noted, with its place, and reading goes on with an empty one; who
//! began to read asks at the end whether anything was noted.

use std::cell::RefCell;
use std::fmt;

use js_sys::{Array, Object, Reflect};
use shared::format;
use wasm_bindgen::{JsCast, JsValue};

/// A JSON value, as somebody parsed it.
pub trait Value: Sized {
    /// The member of an object; none when it is absent.
    fn member(&self, name: &str) -> Option<Self>;
    /// The items of an array.
    fn items(&self) -> Option<Vec<Self>>;
    /// The names of an object's members.
    fn names(&self) -> Option<Vec<String>>;
    /// The text, if it is one.
    fn text(&self) -> Option<String>;
    /// The number, if it is one.
    fn number(&self) -> Option<f64>;
}

/// As the browser parsed it.
impl Value for JsValue {
    fn member(&self, name: &str) -> Option<Self> {
        let member = Reflect::get(self, &Self::from_str(name)).ok()?;
        (!member.is_undefined() && !member.is_null()).then_some(member)
    }

    fn items(&self) -> Option<Vec<Self>> {
        Array::is_array(self).then(|| self.unchecked_ref::<Array>().to_vec())
    }

    fn names(&self) -> Option<Vec<String>> {
        let object = self.dyn_ref::<Object>()?;
        Some(Object::keys(object).iter().filter_map(|name| name.as_string()).collect())
    }

    fn text(&self) -> Option<String> {
        self.as_string()
    }

    fn number(&self) -> Option<f64> {
        self.as_f64()
    }
}

/// The first thing that was not as it should be.
#[derive(Default)]
pub struct Fault(RefCell<Option<String>>);

impl Fault {
    /// What was read with this, or the first fault in it.
    pub fn or<T>(self, read: Option<T>) -> Result<T, String> {
        match (self.0.into_inner(), read) {
            (None, Some(read)) => Ok(read),
            (fault, _) => Err(fault.unwrap_or_default()),
        }
    }
}

/// A place in a file, and the value that is there.
pub struct Reader<'r, V> {
    value: Option<V>,
    place: Place<'r>,
    fault: &'r Fault,
}

#[derive(Clone, Copy)]
struct Place<'r> {
    name: &'r str,
    index: usize,
    parent: Option<&'r Place<'r>>,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(parent) = self.parent else { return formatter.write_str("the file") };
        write!(formatter, "{parent} · ")?;
        if self.name.is_empty() {
            write!(formatter, "{}", self.index + 1)
        } else {
            formatter.write_str(self.name)
        }
    }
}

impl<'r, V: Value> Reader<'r, V> {
    /// The beginning of a file.
    pub fn new(value: V, fault: &'r Fault) -> Self {
        Self { value: Some(value), place: Place { name: "", index: 0, parent: None }, fault }
    }

    /// A member of the object.
    pub fn at(&'r self, name: &'r str) -> Self {
        let value = self.value.as_ref().and_then(|value| value.member(name));
        Self { value, place: Place { name, index: 0, parent: Some(&self.place) }, fault: self.fault }
    }

    /// A member of the object, if it is there.
    pub fn find(&'r self, name: &'r str) -> Option<Self> {
        Some(self.at(name)).filter(|member| member.value.is_some())
    }

    /// The text.
    pub fn text(&self) -> String {
        self.wanted(V::text, "a text").unwrap_or_default()
    }

    /// A name that somebody else chose, cut where it is too long to be shown.
    pub fn name(&self) -> String {
        format::name(&self.text())
    }

    /// The number.
    pub fn number(&self) -> f64 {
        self.wanted(V::number, "a number").unwrap_or_default()
    }

    /// The whole number: one that a count can be.
    pub fn count(&self) -> u64 {
        const MOST: f64 = 9_007_199_254_740_991.0;
        let count = |value: &V| {
            value.number().filter(|number| number.fract() == 0.0 && (0.0..=MOST).contains(number))
        };
        let count = self.wanted(count, "a whole number").unwrap_or_default();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is whole and in range"
        )]
        let count = count as u64;
        count
    }

    /// The whole number, where it is a small one.
    pub fn small_count(&self) -> u32 {
        u32::try_from(self.count()).unwrap_or(u32::MAX)
    }

    /// The text as something that has a rule.
    pub fn parse<T: TryFrom<String>>(&self) -> Option<T> {
        self.wanted(|value| T::try_from(value.text()?).ok(), "a valid name")
    }

    /// The one of these that the text names.
    pub fn one_of<T: Copy>(&self, all: &[T], key: fn(T) -> &'static str) -> Option<T> {
        let text = self.text();
        self.wanted(|_| all.iter().copied().find(|one| key(*one) == text), "a known name")
    }

    /// The items of the array.
    pub fn list<T>(&self, read: impl Fn(&Reader<'_, V>) -> T) -> Vec<T> {
        let items = self.wanted(V::items, "a list").unwrap_or_default();
        let item = |(index, value)| {
            let place = Place { name: "", index, parent: Some(&self.place) };
            read(&Reader { value: Some(value), place, fault: self.fault })
        };
        items.into_iter().enumerate().map(item).collect()
    }

    /// The items of the array that can be read; the fault of any other is noted.
    pub fn known<T>(&self, read: impl Fn(&Reader<'_, V>) -> Option<T>) -> Vec<T> {
        self.list(read).into_iter().flatten().collect()
    }

    /// The members of the object with their names.
    pub fn map<K: TryFrom<String>, T>(&self, read: impl Fn(&Reader<'_, V>) -> T) -> Vec<(K, T)> {
        let names = self.wanted(V::names, "an object").unwrap_or_default();
        let member = |name: String| {
            let member = read(&self.at(&name));
            K::try_from(name).ok().map(|key| (key, member))
        };
        names.into_iter().filter_map(member).collect()
    }

    fn wanted<T>(&self, read: impl Fn(&V) -> Option<T>, what: &str) -> Option<T> {
        let found = self.value.as_ref().and_then(read);
        if found.is_none() {
            self.note(what);
        }
        found
    }

    fn note(&self, what: &str) {
        let mut fault = self.fault.0.borrow_mut();
        if fault.is_none() {
            let problem = if self.value.is_some() { "is not" } else { "is missing, but should be" };
            *fault = Some(format!("{} {problem} {what}", self.place));
        }
    }
}

/// As serde parsed it: for tests, which have no browser.
#[cfg(test)]
impl Value for serde_json::Value {
    fn member(&self, name: &str) -> Option<Self> {
        self.get(name).filter(|member| !member.is_null()).cloned()
    }

    fn items(&self) -> Option<Vec<Self>> {
        self.as_array().cloned()
    }

    fn names(&self) -> Option<Vec<String>> {
        Some(self.as_object()?.keys().cloned().collect())
    }

    fn text(&self) -> Option<String> {
        self.as_str().map(str::to_owned)
    }

    fn number(&self) -> Option<f64> {
        self.as_f64()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read<T>(value: serde_json::Value, read: fn(&Reader<'_, serde_json::Value>) -> T) -> Result<T, String> {
        let fault = Fault::default();
        let value = read(&Reader::new(value, &fault));
        fault.or(Some(value))
    }

    fn count(value: &Reader<'_, serde_json::Value>) -> u64 {
        value.count()
    }

    #[test]
    fn what_is_there_is_read() {
        let value = json!({ "n": 3, "x": 0.5, "s": "t", "list": [1, 2] });
        let all = read(value, |r| {
            (r.at("n").count(), r.at("x").number(), r.at("s").text(), r.at("list").list(count))
        });
        assert_eq!(all, Ok((3, 0.5, "t".to_owned(), vec![1, 2])));
    }

    #[test]
    fn the_first_fault_is_named_with_its_place() {
        let value = json!({ "list": [{ "n": 1 }, { "n": "many" }, { "n": null }] });
        let counts = read(value, |r| r.at("list").list(|item| item.at("n").count()));
        assert_eq!(counts, Err("the file · list · 2 · n is not a whole number".to_owned()));
        let missing = read(json!([]), |r| r.at("a").at("b").text());
        assert_eq!(missing, Err("the file · a · b is missing, but should be a text".to_owned()));
    }

    #[test]
    fn a_count_is_whole_and_not_negative() {
        for value in [json!(-1), json!(0.5), json!(1e300), json!("1")] {
            assert!(read(value, count).is_err());
        }
        assert_eq!(read(json!(9_007_199_254_740_991_u64), count), Ok(9_007_199_254_740_991));
    }
}
