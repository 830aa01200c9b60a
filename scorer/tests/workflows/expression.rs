//! GitHub's expressions, as far as workflows here use them: `${{ inputs.sim || github.sha }}`.
//!
//! Source: "Evaluate expressions in workflows and actions" of GitHub's documentation. Names that are not there are null; what is
//! not understood fails the test, so that no workflow is played in another way than GitHub would run it.

use serde_json::{Map, Value};

/// The contexts by name, and how the job stands so far.
#[derive(Clone, Debug)]
pub struct Context {
    /// `github`, `inputs`, `steps` and so on, as one object.
    pub values: Value,
    /// Whether nothing has failed so far, which `success()` and `failure()` ask.
    pub is_success: bool,
}

/// A text with its expressions replaced by their values.
pub fn interpolated(text: &str, context: &Context) -> Result<String, String> {
    let mut made = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${{") {
        let (expression, behind) = after.split_once("}}").ok_or_else(|| format!("`{text}` has no end"))?;
        made.push_str(before);
        made.push_str(&shown(&value(expression, context)?));
        rest = behind;
    }
    made.push_str(rest);
    Ok(made)
}

/// The value of a field: of the one expression that it is, else its text with all expressions replaced.
pub fn field(field: &Value, context: &Context) -> Result<Value, String> {
    let Value::String(text) = field else { return Ok(field.clone()) };
    let whole = text.trim().strip_prefix("${{").and_then(|rest| rest.strip_suffix("}}"));
    match whole.filter(|inner| !inner.contains("${{")) {
        Some(expression) => value(expression, context),
        None => interpolated(text, context).map(Value::String),
    }
}

/// Whether a step or job with this condition runs: without a function of its own that asks how things stand, only when all is well.
pub fn runs(condition: Option<&str>, context: &Context) -> Result<bool, String> {
    let condition = condition.unwrap_or("success()").trim();
    let bare = condition.strip_prefix("${{").and_then(|rest| rest.strip_suffix("}}")).unwrap_or(condition);
    let asks = ["success()", "failure()", "always()", "cancelled()"].iter().any(|call| bare.contains(call));
    Ok((asks || context.is_success) && is_true(&value(bare, context)?))
}

/// The value of an expression.
pub fn value(expression: &str, context: &Context) -> Result<Value, String> {
    let tokens = tokens(expression)?;
    let mut parser = Parser { tokens: &tokens, at: 0, context };
    let value = parser.either()?;
    match parser.peek() {
        None => Ok(value),
        Some(token) => Err(format!("`{expression}`: {token:?} is not expected")),
    }
}

/// A value as it stands in a text.
pub fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

/// Equal texts may differ in case; values of two kinds are compared as numbers.
fn is_equal(a: &Value, b: &Value) -> bool {
    let number = |value: &Value| match value {
        Value::Null => Some(0.0),
        Value::Bool(value) => Some(f64::from(u8::from(*value))),
        Value::Number(number) => number.as_f64(),
        Value::String(text) if text.is_empty() => Some(0.0),
        Value::String(text) => text.parse().ok(),
        Value::Array(_) | Value::Object(_) => None,
    };
    match (a, b) {
        (Value::String(a), Value::String(b)) => a.to_lowercase() == b.to_lowercase(),
        (a, b) => number(a).is_some_and(|a| number(b) == Some(a)),
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Text(String),
    Number(f64),
    Name(String),
    Sign(&'static str),
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    const SIGNS: [&str; 11] = ["&&", "||", "==", "!=", "!", "(", ")", "[", "]", ",", "."];
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if first == '\'' {
            let (literal, length) = literal(rest)?;
            tokens.push(Token::Text(literal));
            rest = &rest[length..];
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            tokens.push(Token::Sign(sign));
            rest = &rest[sign.len()..];
        } else {
            let is_part = |c: char| c.is_ascii_alphanumeric() || "_-*".contains(c);
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let word = &rest[..end];
            match word.parse() {
                Ok(number) => tokens.push(Token::Number(number)),
                Err(_) if !word.is_empty() => tokens.push(Token::Name(word.to_owned())),
                Err(_) => return Err(format!("`{text}`: `{first}` is not understood")),
            }
            rest = &rest[end..];
        }
        rest = rest.trim_start();
    }
    Ok(tokens)
}

/// The text in quotes that `rest` begins with, in which two quotes stand for one, and how long it is in there.
fn literal(rest: &str) -> Result<(String, usize), String> {
    let mut text = String::new();
    let mut characters = rest.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        if character != '\'' {
            text.push(character);
        } else if characters.next_if(|(_, next)| *next == '\'').is_some() {
            text.push('\'');
        } else {
            return Ok((text, at + 1));
        }
    }
    Err(format!("`{rest}` has no end"))
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    context: &'a Context,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn takes(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Sign(next)) if *next == sign);
        self.at += usize::from(found);
        found
    }

    fn needs(&mut self, sign: &str) -> Result<(), String> {
        if self.takes(sign) { Ok(()) } else { Err(format!("`{sign}` is missing before {:?}", self.peek())) }
    }

    fn either(&mut self) -> Result<Value, String> {
        let mut value = self.both()?;
        while self.takes("||") {
            let other = self.both()?;
            value = if is_true(&value) { value } else { other };
        }
        Ok(value)
    }

    fn both(&mut self) -> Result<Value, String> {
        let mut value = self.equality()?;
        while self.takes("&&") {
            let other = self.equality()?;
            value = if is_true(&value) { other } else { value };
        }
        Ok(value)
    }

    fn equality(&mut self) -> Result<Value, String> {
        let value = self.unary()?;
        if self.takes("==") {
            return Ok(Value::Bool(is_equal(&value, &self.unary()?)));
        }
        if self.takes("!=") {
            return Ok(Value::Bool(!is_equal(&value, &self.unary()?)));
        }
        Ok(value)
    }

    fn unary(&mut self) -> Result<Value, String> {
        if self.takes("!") { Ok(Value::Bool(!is_true(&self.unary()?))) } else { self.primary() }
    }

    fn primary(&mut self) -> Result<Value, String> {
        let token = self.peek().cloned().ok_or("an expression ends too early")?;
        self.at += 1;
        match token {
            Token::Text(text) => Ok(Value::String(text)),
            Token::Number(number) => Ok(Value::from(number)),
            Token::Sign("(") => {
                let value = self.either()?;
                self.needs(")")?;
                Ok(value)
            }
            Token::Name(name) if self.takes("(") => {
                let arguments = self.arguments()?;
                let value = call(&name, &arguments, self.context)?;
                self.path(value)
            }
            Token::Name(name) => match name.as_str() {
                "true" => Ok(Value::Bool(true)),
                "false" => Ok(Value::Bool(false)),
                "null" => Ok(Value::Null),
                _ => {
                    let root = self.context.values.get(&name);
                    let root = root.ok_or_else(|| format!("there is no context `{name}`"))?.clone();
                    self.path(root)
                }
            },
            Token::Sign(sign) => Err(format!("`{sign}` is not expected")),
        }
    }

    fn arguments(&mut self) -> Result<Vec<Value>, String> {
        let mut arguments = Vec::new();
        while !self.takes(")") {
            if !arguments.is_empty() {
                self.needs(",")?;
            }
            arguments.push(self.either()?);
        }
        Ok(arguments)
    }

    /// What `.name`, `.*` and `[…]` behind a value lead to.
    fn path(&mut self, mut value: Value) -> Result<Value, String> {
        loop {
            if self.takes(".") {
                let Some(Token::Name(name)) = self.peek().cloned() else {
                    return Err("a name is missing behind `.`".to_owned());
                };
                self.at += 1;
                value = if name == "*" { values_of(&value) } else { member(&value, &name) };
            } else if self.takes("[") {
                let key = self.either()?;
                self.needs("]")?;
                value = match &key {
                    Value::Number(number) => item(&value, number.as_f64()),
                    key => member(&value, &shown(key)),
                };
            } else {
                return Ok(value);
            }
        }
    }
}

/// A member by its name; of a list, the members of its items, as behind `.*`.
fn member(value: &Value, name: &str) -> Value {
    match value {
        Value::Array(items) => items.iter().filter_map(|item| item.get(name).cloned()).collect(),
        value => value.get(name).cloned().unwrap_or_default(),
    }
}

fn item(value: &Value, index: Option<f64>) -> Value {
    let items = value.as_array().map_or(&[][..], Vec::as_slice);
    let found = items.iter().enumerate().find(|(at, _)| index == Some(*at as f64));
    found.map(|(_, item)| item.clone()).unwrap_or_default()
}

fn values_of(value: &Value) -> Value {
    match value {
        Value::Object(members) => members.values().cloned().collect(),
        other => other.clone(),
    }
}

fn call(name: &str, arguments: &[Value], context: &Context) -> Result<Value, String> {
    let text = |index: usize| arguments.get(index).map(shown).unwrap_or_default();
    let lower = |index: usize| text(index).to_lowercase();
    Ok(match (name, arguments.len()) {
        ("success", 0) => Value::Bool(context.is_success),
        ("failure", 0) => Value::Bool(!context.is_success),
        ("always", 0) => Value::Bool(true),
        ("cancelled", 0) => Value::Bool(false),
        ("contains", 2) => Value::Bool(match &arguments[0] {
            Value::Array(items) => items.iter().any(|item| is_equal(item, &arguments[1])),
            _ => lower(0).contains(&lower(1)),
        }),
        ("startsWith", 2) => Value::Bool(lower(0).starts_with(&lower(1))),
        ("endsWith", 2) => Value::Bool(lower(0).ends_with(&lower(1))),
        ("fromJSON", 1) => {
            serde_json::from_str(&text(0)).map_err(|error| format!("fromJSON of `{}`: {error}", text(0)))?
        }
        ("toJSON", 1) => Value::String(arguments[0].to_string()),
        ("join", 1 | 2) => {
            let between = arguments.get(1).map_or_else(|| ",".to_owned(), shown);
            let items = arguments[0].as_array().cloned().unwrap_or_default();
            Value::String(items.iter().map(shown).collect::<Vec<_>>().join(&between))
        }
        ("format", 1..) => {
            let replaced = |made: String, (index, argument): (usize, &Value)| {
                made.replace(&format!("{{{index}}}"), &shown(argument))
            };
            Value::String(arguments[1..].iter().enumerate().fold(text(0), replaced))
        }
        // Only ever part of a cache's key.
        ("hashFiles", 1..) => Value::String("0".repeat(64)),
        _ => return Err(format!("`{name}` with {} arguments is not understood", arguments.len())),
    })
}

/// An object of these members.
pub fn object<'a>(members: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn context(is_success: bool) -> Context {
        let values = json!({
            "inputs": { "sim": "v0.7.15", "gate": true, "none": "", "count": 3 },
            "steps": { "pins": { "outputs": { "list": "[1,2]", "the-commit": "abc" } } },
            "needs": { "a": { "result": "success" }, "b": { "result": "failure" } },
        });
        Context { values, is_success }
    }

    #[track_caller]
    fn gives(expression: &str, expected: Value) {
        assert_eq!(value(expression, &context(true)), Ok(expected), "{expression}");
    }

    #[test]
    fn names_lead_into_contexts_and_what_is_not_there_is_null() {
        gives("inputs.sim", json!("v0.7.15"));
        gives("steps.pins.outputs.the-commit", json!("abc"));
        gives("steps.pins.outputs['the-commit']", json!("abc"));
        gives("steps.nobody.outputs.x", Value::Null);
        gives("fromJSON(steps.pins.outputs.list)[1]", json!(2));
        gives("contains(needs.*.result, 'failure')", json!(true));
        assert!(value("nowhere.x", &context(true)).is_err());
    }

    #[test]
    fn operators_give_values_and_not_only_truths() {
        gives("inputs.none || 'default'", json!("default"));
        gives("inputs.gate && 'yes' || 'no'", json!("yes"));
        gives("inputs.sim == 'V0.7.15' && inputs.count != 4", json!(true));
        gives("!inputs.none && !(inputs.count == 4)", json!(true));
        gives("'it''s'", json!("it's"));
        gives("format('{0}/{1}', inputs.sim, inputs.count)", json!("v0.7.15/3"));
        for broken in ["inputs.sim ==", "inputs.sim inputs.sim", "nobody()", "'open", "a ? b"] {
            assert!(value(broken, &context(true)).is_err(), "{broken}");
        }
    }

    #[test]
    fn a_text_is_filled_in_and_a_lone_expression_keeps_its_kind() {
        let context = context(true);
        let text = "--sim=${{ inputs.sim }} ${{ inputs.none }}${{ inputs.count }}";
        assert_eq!(interpolated(text, &context).as_deref(), Ok("--sim=v0.7.15 3"));
        assert_eq!(field(&json!("${{ inputs.gate }}"), &context), Ok(json!(true)));
        assert_eq!(field(&json!("${{ inputs.gate }}!"), &context), Ok(json!("true!")));
    }

    #[test]
    fn a_condition_means_success_unless_it_asks_itself() {
        let after_failure = context(false);
        assert_eq!(runs(None, &after_failure), Ok(false));
        assert_eq!(runs(Some("inputs.gate"), &after_failure), Ok(false));
        assert_eq!(runs(Some("always() && inputs.gate"), &after_failure), Ok(true));
        assert_eq!(runs(Some("${{ failure() }}"), &context(true)), Ok(false));
    }
}
