//! A choice among many, found by typing: the combobox of the ARIA Authoring Practices, whose focus
//! stays in the text field while the arrow keys walk through the list.

use std::rc::Rc;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, KeyboardEvent, ScrollIntoViewOptions, ScrollLogicalPosition};

use super::icon::Icon;
use crate::dom::{Element, Node, element, follow, value_of};

/// One choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What stands in the address; empty: none of them.
    pub key: String,
    /// What people read.
    pub title: String,
    /// What tells it from its neighbours.
    pub detail: String,
}

/// How many matches are listed; whoever has more types on.
const LISTED: usize = 60;

/// The positions of the entries that contain every word of what was typed, in capitals or not as far as
/// ASCII goes.
fn matching(entries: &[Entry], typed: &str) -> Vec<usize> {
    let typed = typed.to_ascii_lowercase();
    let words: Vec<&str> = typed.split_ascii_whitespace().collect();
    let contains = |entry: &Entry| {
        let text = format!("{} {} {}", entry.title, entry.detail, entry.key).to_ascii_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    entries.iter().enumerate().filter(|(_, entry)| contains(entry)).map(|(index, _)| index).collect()
}

/// What a picker is called.
#[derive(Clone, Copy)]
pub struct Names {
    /// The text field's id.
    pub id: &'static str,
    /// What is chosen.
    pub label: &'static str,
}

/// What the field and its list share.
struct State {
    id: &'static str,
    /// The entries, in order.
    entries: Box<dyn Fn() -> Vec<Entry>>,
    /// The key of the current entry.
    chosen: Memo<String>,
    choose: Box<dyn Fn(String)>,
    field: HtmlInputElement,
    open: RwSignal<bool>,
    typed: RwSignal<String>,
    /// Which of the listed matches the arrow keys have reached.
    active: RwSignal<usize>,
}

impl State {
    /// The positions of the entries that match.
    fn matches(&self) -> Vec<usize> {
        self.typed.with(|typed| matching(&(self.entries)(), typed))
    }

    /// What the field shows while nothing is typed.
    fn title(&self) -> String {
        let chosen = self.chosen.get();
        let mut entries = (self.entries)().into_iter();
        entries.find(|entry| entry.key == chosen).map(|entry| entry.title).unwrap_or_default()
    }

    /// The positions of the matches that are listed; none while the list is closed.
    fn listed(&self) -> Option<Vec<usize>> {
        self.open.get().then(|| self.matches().into_iter().take(LISTED).collect())
    }

    fn option_id(&self, position: usize) -> String {
        format!("{}-option-{position}", self.id)
    }

    fn show(&self) {
        if self.open.get_untracked() {
            return;
        }
        self.typed.set(String::new());
        let chosen = self.chosen.get_untracked();
        let at = untrack(|| (self.entries)()).iter().position(|entry| entry.key == chosen);
        self.active.set(at.unwrap_or(0));
        self.open.set(true);
        self.field.select();
    }

    /// Closes the list; the field shows what is chosen, not what was typed.
    fn hide(&self) {
        self.open.set(false);
        self.typed.set(String::new());
        self.field.set_value(&untrack(|| self.title()));
    }

    fn choose(&self, index: usize) {
        if let Some(entry) = untrack(|| (self.entries)()).into_iter().nth(index) {
            (self.choose)(entry.key);
        }
        self.hide();
    }

    fn step(&self, forward: bool) {
        let Some(listed) = untrack(|| self.listed()) else { return self.show() };
        let count = listed.len();
        if count > 0 {
            self.active
                .update(|at| *at = if forward { (*at + 1) % count } else { (*at + count - 1) % count });
        }
    }

    fn on_key(&self, event: &Event) {
        let open = self.open.get_untracked();
        match event.unchecked_ref::<KeyboardEvent>().key().as_str() {
            "ArrowDown" => self.step(true),
            "ArrowUp" => self.step(false),
            "Enter" if open => {
                let at = self.active.get_untracked();
                if let Some(index) = untrack(|| self.matches()).get(at) {
                    self.choose(*index);
                }
            }
            "Enter" => self.show(),
            "Escape" if open => self.hide(),
            _ => return,
        }
        event.prevent_default();
    }

    fn on_input(&self, text: String) {
        self.typed.set(text);
        self.active.set(0);
        self.open.set(true);
    }

    /// Keeps the active option in sight.
    fn follow_active(self: &Rc<Self>) {
        let state = Rc::clone(self);
        follow(move || {
            let at = state.active.get();
            if state.open.get()
                && let Some(option) = document().get_element_by_id(&state.option_id(at))
            {
                let options = ScrollIntoViewOptions::new();
                options.set_block(ScrollLogicalPosition::Nearest);
                option.scroll_into_view_with_scroll_into_view_options(&options);
            }
        });
    }

    /// How many match, for the eye and for the ear.
    fn count(&self) -> String {
        if !self.open.get() {
            return String::new();
        }
        match self.matches().len() {
            0 => "No run matches. Clear the field to see all.".to_owned(),
            count if count > LISTED => format!("{count} match, {LISTED} listed: type to narrow"),
            count => format!("{count} match"),
        }
    }

    /// The id of the option that the arrow keys have reached.
    fn active_id(&self) -> Option<String> {
        let at = self.active.get();
        (at < self.listed()?.len()).then(|| self.option_id(at))
    }

    /// Something that follows the picker's signals.
    fn bound<T>(self: &Rc<Self>, what: impl Fn(&Self) -> T + 'static) -> impl Fn() -> T + 'static {
        let state = Rc::clone(self);
        move || what(&state)
    }

    /// The text field.
    fn field(self: &Rc<Self>, field: Element) -> Element {
        let on = |act: fn(&Self, &Event)| {
            let state = Rc::clone(self);
            move |event: Event| act(&state, &event)
        };
        field
            .attr("type", "text")
            .attr("role", "combobox")
            .attr("autocomplete", "off")
            .attr("spellcheck", "false")
            .attr("aria-autocomplete", "list")
            .attr("aria-haspopup", "listbox")
            .live_state("aria-expanded", self.bound(|state| state.open.get()))
            .live_attr("aria-activedescendant", self.bound(Self::active_id))
            .live_property("value", self.bound(|state| state.title().into()))
            .live_attr("title", self.bound(|state| Some(state.title())))
            .on("click", on(|state, _| state.show()))
            .on("keydown", on(Self::on_key))
            .on("input", on(|state, event| state.on_input(value_of(event))))
            .on("blur", on(|state, _| state.hide()))
    }

    /// The options that are listed.
    fn options(self: &Rc<Self>, listed: &[usize]) -> Vec<Node> {
        let entries = (self.entries)();
        let listed = listed.iter().enumerate();
        let option = |(position, index): (usize, &usize)| {
            entries.get(*index).map(|entry| self.option(position, *index, entry).into())
        };
        listed.filter_map(option).collect()
    }

    /// The option of an entry, at its position in the list.
    fn option(self: &Rc<Self>, position: usize, index: usize, entry: &Entry) -> Element {
        let selected = self.chosen.get_untracked() == entry.key;
        let (reached, chosen) = (Rc::clone(self), Rc::clone(self));
        element("li")
            .attr("id", &self.option_id(position))
            .attr("role", "option")
            .class("option")
            .attr("aria-selected", if selected { "true" } else { "false" })
            .live_class("active", self.bound(move |state| state.active.get() == position))
            // Keeps the focus in the field.
            .on("mousedown", |event| event.prevent_default())
            .on("mousemove", move |_| {
                if reached.active.get_untracked() != position {
                    reached.active.set(position);
                }
            })
            .on("click", move |_| chosen.choose(index))
            .child(element("span").class("option-title").child(entry.title.as_str()))
            .child(element("span").class("option-detail").child(entry.detail.as_str()))
    }
}

/// A labelled text field with a list under it. `entries`, in order, and `chosen`, the key of the current
/// one, follow signals; `choose` is called with the key of the reader's choice.
pub fn picker(
    Names { id, label }: Names,
    entries: impl Fn() -> Vec<Entry> + 'static,
    chosen: Memo<String>,
    choose: impl Fn(String) + 'static,
) -> Element {
    let field = element("input");
    let state = Rc::new(State {
        id,
        entries: Box::new(entries),
        chosen,
        choose: Box::new(choose),
        field: field.browser(),
        open: RwSignal::new(false),
        typed: RwSignal::new(String::new()),
        active: RwSignal::new(0),
    });
    state.follow_active();
    let list_id = format!("{id}-list");
    let field = state.field(field.attr("id", id).attr("aria-controls", &list_id));
    let list = element("ul").attr("id", &list_id).attr("role", "listbox").attr("aria-label", label);
    let popup = element("div")
        .class("popup")
        .live_flag("hidden", state.bound(|state| !state.open.get()))
        .child(list.live(state.bound(State::listed), {
            let state = Rc::clone(&state);
            move |listed| state.options(listed.as_deref().unwrap_or_default())
        }))
        .child(element("p").class("popup-note").attr("role", "status").live_text(state.bound(State::count)));
    let content = element("div").class("picker-box").child(field).child(Icon::Open.draw()).child(popup);
    element("div").class("field picker").child(element("label").attr("for", id).child(label)).child(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_that_was_typed_must_occur_somewhere() {
        let entry = |key: &str, title: &str, detail: &str| Entry {
            key: key.to_owned(),
            title: title.to_owned(),
            detail: detail.to_owned(),
        };
        let entries = [
            entry("r1", "BLIS 0.7.5", "db-dump/2026-09-28"),
            entry("r2", "BLIS 0.7.6", "db-dump/2026-09-28"),
            entry("", "Nothing", ""),
        ];
        assert_eq!(matching(&entries, ""), [0, 1, 2]);
        assert_eq!(matching(&entries, "blis 09-28"), [0, 1]);
        assert_eq!(matching(&entries, " R2 dump"), [1]);
        assert!(matching(&entries, "vidur").is_empty());
    }
}
