//! Python values as `repr` writes them: not JSON.
//!
//! Read are strings in either quotes with escapes, numbers, `None`, `True`, `False`, lists, tuples, sets,
//! nested dicts, objects such as `Name(key='value')`, and what stands in angle brackets, such as
//! `<CUDAGraphMode.FULL: 2>`. Nesting is bounded, so no text can exhaust the stack.

use std::iter::Peekable;
use std::str::CharIndices;

/// How deep values may be nested.
const DEEPEST: u32 = 64;

/// A Python value.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `None`.
    None,
    /// `True` or `False`.
    Flag(bool),
    /// A whole number below 2^63.
    Integer(i64),
    /// A number with a fraction or an exponent, or a larger one.
    Number(f64),
    /// A string, or bytes.
    Text(String),
    /// A list, a tuple or a set.
    List(Vec<Self>),
    /// A dict, its entries in order.
    Dict(Vec<(Self, Self)>),
    /// `Name(…)`: an object with its members, those without a name under an empty one.
    Object(String, Vec<(String, Self)>),
    /// A bare name such as `torch.bfloat16`, or what stands in angle brackets.
    Symbol(String),
}

/// A text is not a Python value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LiteralError {
    /// It ends too early.
    #[error("it ends in the middle of a value")]
    Ends,
    /// A character cannot stand where it does.
    #[error("byte {offset} cannot stand there")]
    Unexpected {
        /// Its offset from the beginning of the value.
        offset: usize,
    },
    /// It is nested too deep.
    #[error("its values are nested more than {DEEPEST} deep")]
    TooDeep,
}

impl Literal {
    /// Reads the value at the beginning of a text, and gives what follows.
    ///
    /// # Errors
    /// When no value stands there, or it ends too early or is nested too deep.
    pub fn read(text: &str) -> Result<(Self, &str), LiteralError> {
        let mut reader = Reader::new(text);
        let value = reader.value(0)?;
        Ok((value, reader.rest()))
    }

    /// Reads `key=value, key=value, …`, the form of the engine's configuration, as far as it can be read.
    ///
    /// There strings may stand bare (`served_model_name=openai/gpt-oss-120b`): they become symbols.
    #[must_use]
    pub fn read_assignments(text: &str) -> Vec<(String, Self)> {
        let mut found = Vec::new();
        let mut rest = text;
        while let Some((key, after)) = assignment(rest) {
            let (value, after) = match Self::read(after) {
                Ok((value, after)) if after.is_empty() || after.starts_with(',') => (value, after),
                _ => {
                    let end = after.find(',').unwrap_or(after.len());
                    (Self::Symbol(after[..end].to_owned()), &after[end..])
                }
            };
            found.push((key.to_owned(), value));
            rest = after.strip_prefix(',').unwrap_or("").trim_start();
        }
        found
    }

    /// The value under a name: of a dict's entry or an object's member.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Dict(entries) => {
                entries.iter().find(|(key, _)| *key == Self::Text(name.to_owned())).map(|(_, value)| value)
            }
            Self::Object(_, members) => members.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }
}

/// `key=` at the beginning of a text, and what follows.
fn assignment(text: &str) -> Option<(&str, &str)> {
    let (key, rest) = text.split_once('=')?;
    is_name(key).then_some((key, rest))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(in_name) && !text.starts_with(|c: char| c.is_ascii_digit())
}

fn in_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

struct Reader<'a> {
    text: &'a str,
    chars: Peekable<CharIndices<'a>>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, chars: text.char_indices().peekable() }
    }

    fn rest(&mut self) -> &'a str {
        &self.text[self.offset()..]
    }

    fn offset(&mut self) -> usize {
        self.chars.peek().map_or(self.text.len(), |(offset, _)| *offset)
    }

    fn peek(&mut self) -> Option<char> {
        self.chars.peek().map(|(_, c)| *c)
    }

    fn next(&mut self) -> Result<char, LiteralError> {
        self.chars.next().map(|(_, c)| c).ok_or(LiteralError::Ends)
    }

    fn unexpected<T>(&mut self) -> Result<T, LiteralError> {
        match self.peek() {
            Some(_) => Err(LiteralError::Unexpected { offset: self.offset() }),
            None => Err(LiteralError::Ends),
        }
    }

    fn skip(&mut self, skipped: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&skipped) {
            self.chars.next();
        }
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.chars.next();
        }
        found
    }

    fn value(&mut self, depth: u32) -> Result<Literal, LiteralError> {
        if depth > DEEPEST {
            return Err(LiteralError::TooDeep);
        }
        self.skip(char::is_whitespace);
        match self.peek() {
            Some('{') => self.braces(depth),
            Some('[') => self.list(']', depth),
            Some('(') => self.list(')', depth),
            Some('<') => self.symbol(),
            Some(quote @ ('\'' | '"')) => self.string(quote, Escapes::Read).map(Literal::Text),
            Some(c) if c.is_ascii_digit() || c == '-' || c == '+' => self.number(),
            Some(c) if in_name(c) => self.word(depth),
            _ => self.unexpected(),
        }
    }

    fn list(&mut self, close: char, depth: u32) -> Result<Literal, LiteralError> {
        self.next()?;
        let mut items = Vec::new();
        self.items(close, |reader| {
            items.push(reader.value(depth + 1)?);
            Ok(())
        })?;
        Ok(Literal::List(items))
    }

    /// What stands between brackets, separated by commas, up to the closing one.
    fn items(
        &mut self,
        close: char,
        mut item: impl FnMut(&mut Self) -> Result<(), LiteralError>,
    ) -> Result<(), LiteralError> {
        loop {
            self.skip(char::is_whitespace);
            if self.take(close) {
                return Ok(());
            }
            item(self)?;
            self.skip(char::is_whitespace);
            if !self.take(',') && self.peek() != Some(close) {
                return self.unexpected();
            }
        }
    }

    /// A dict, or a set.
    fn braces(&mut self, depth: u32) -> Result<Literal, LiteralError> {
        self.next()?;
        let (mut entries, mut items) = (Vec::new(), Vec::new());
        self.items('}', |reader| {
            let key = reader.value(depth + 1)?;
            reader.skip(char::is_whitespace);
            if reader.take(':') {
                entries.push((key, reader.value(depth + 1)?));
            } else {
                items.push(key);
            }
            Ok(())
        })?;
        Ok(if items.is_empty() { Literal::Dict(entries) } else { Literal::List(items) })
    }

    /// What stands in angle brackets, of which it may contain balanced ones.
    fn symbol(&mut self) -> Result<Literal, LiteralError> {
        let start = self.offset();
        let mut open = 0_u32;
        loop {
            match self.next()? {
                '<' => open += 1,
                '>' => open -= 1,
                _ => {}
            }
            if open == 0 {
                let end = self.offset();
                return Ok(Literal::Symbol(self.text[start..end].to_owned()));
            }
        }
    }

    fn number(&mut self) -> Result<Literal, LiteralError> {
        let start = self.offset();
        let mut before = '\0';
        while let Some(c) = self.peek() {
            let signs_exponent = matches!(c, '+' | '-') && matches!(before, 'e' | 'E' | '\0');
            if !(c.is_ascii_alphanumeric() || c == '.' || c == '_' || signs_exponent) {
                break;
            }
            before = c;
            self.chars.next();
        }
        let end = self.offset();
        let digits = self.text[start..end].replace('_', "");
        if let Ok(integer) = digits.parse() {
            return Ok(Literal::Integer(integer));
        }
        digits.parse().map(Literal::Number).map_err(|_| LiteralError::Unexpected { offset: start })
    }

    /// A name: of a constant, of an object with its members, or before a string as its kind.
    fn word(&mut self, depth: u32) -> Result<Literal, LiteralError> {
        let start = self.offset();
        self.skip(in_name);
        let end = self.offset();
        let word = &self.text[start..end];
        if let Some(quote @ ('\'' | '"')) = self.peek() {
            let escapes = if word.contains(['r', 'R']) { Escapes::Keep } else { Escapes::Read };
            return if matches!(word.to_ascii_lowercase().as_str(), "b" | "r" | "u" | "br" | "rb") {
                self.string(quote, escapes).map(Literal::Text)
            } else {
                self.unexpected()
            };
        }
        if self.peek() == Some('(') {
            return self.object(word, depth);
        }
        Ok(match word {
            "None" => Literal::None,
            "True" => Literal::Flag(true),
            "False" => Literal::Flag(false),
            "inf" => Literal::Number(f64::INFINITY),
            "nan" => Literal::Number(f64::NAN),
            _ => Literal::Symbol(word.to_owned()),
        })
    }

    fn object(&mut self, name: &str, depth: u32) -> Result<Literal, LiteralError> {
        self.next()?;
        let mut members = Vec::new();
        self.items(')', |reader| {
            let key = reader.member();
            members.push((key.to_owned(), reader.value(depth + 1)?));
            Ok(())
        })?;
        Ok(Literal::Object(name.to_owned(), members))
    }

    /// `key=` before the value of a member; an empty key where there is none.
    fn member(&mut self) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !in_name(c)).unwrap_or(rest.len());
        let key = &rest[..length];
        if !is_name(key) || !rest[length..].starts_with('=') {
            return "";
        }
        for _ in key.chars().chain(['=']) {
            self.chars.next();
        }
        key
    }

    fn string(&mut self, quote: char, escapes: Escapes) -> Result<String, LiteralError> {
        self.next()?;
        let mut text = String::new();
        loop {
            match self.next()? {
                c if c == quote => return Ok(text),
                '\\' if escapes == Escapes::Keep => {
                    text.push('\\');
                    text.push(self.next()?);
                }
                '\\' => text.extend(self.escape()?),
                c => text.push(c),
            }
        }
    }

    /// The character that an escape stands for; none for the end of a line, which it takes away.
    fn escape(&mut self) -> Result<Option<char>, LiteralError> {
        let offset = self.offset();
        let c = match self.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0c',
            'v' => '\x0b',
            '\n' => return Ok(None),
            c @ ('\\' | '\'' | '"') => c,
            'x' => self.code(offset, 16, 2)?,
            'u' => self.code(offset, 16, 4)?,
            'U' => self.code(offset, 16, 8)?,
            '0'..='7' => {
                let digits = self.text[offset..].bytes().take(3).take_while(|b| (b'0'..=b'7').contains(b));
                let digits = digits.count();
                for _ in 1..digits {
                    self.chars.next();
                }
                let code = u32::from_str_radix(&self.text[offset..offset + digits], 8).ok();
                code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return Err(LiteralError::Unexpected { offset }),
        };
        Ok(Some(c))
    }

    fn code(&mut self, offset: usize, radix: u32, digits: usize) -> Result<char, LiteralError> {
        let mut code = 0;
        for _ in 0..digits {
            let digit = self.next()?.to_digit(radix).ok_or(LiteralError::Unexpected { offset })?;
            code = code * radix + digit;
        }
        // Half of a surrogate pair is no character.
        Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escapes {
    Read,
    Keep,
}

#[cfg(test)]
mod tests;
