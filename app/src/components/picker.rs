//! A choice among many, found by typing: the combobox of the ARIA Authoring Practices, whose focus
//! stays in the text field while the arrow keys walk through the list.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use web_sys::{ScrollIntoViewOptions, ScrollLogicalPosition};

use super::icon::Icon;

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

/// The positions of the entries that contain every word of what was typed.
fn matching(entries: &[Entry], typed: &str) -> Vec<usize> {
    let typed = typed.to_lowercase();
    let words: Vec<&str> = typed.split_whitespace().collect();
    let contains = |entry: &Entry| {
        let text = format!("{} {} {}", entry.title, entry.detail, entry.key).to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    entries.iter().enumerate().filter(|(_, entry)| contains(entry)).map(|(index, _)| index).collect()
}

/// What the field and its list share.
#[derive(Clone, Copy)]
struct State {
    id: &'static str,
    entries: Signal<Vec<Entry>>,
    chosen: Signal<String>,
    on_choose: Callback<String>,
    field: NodeRef<html::Input>,
    open: RwSignal<bool>,
    typed: RwSignal<String>,
    /// Which of the listed matches the arrow keys have reached.
    active: RwSignal<usize>,
    matches: Memo<Vec<usize>>,
    /// What the field shows while nothing is typed.
    title: Memo<String>,
}

impl State {
    fn new(
        id: &'static str,
        entries: Signal<Vec<Entry>>,
        chosen: Signal<String>,
        on_choose: Callback<String>,
    ) -> Self {
        let typed = RwSignal::new(String::new());
        let matches =
            Memo::new(move |_| entries.with(|entries| typed.with(|typed| matching(entries, typed))));
        let title = Memo::new(move |_| {
            let chosen = chosen.get();
            let find = |entries: &Vec<Entry>| {
                entries.iter().find(|entry| entry.key == chosen).map(|entry| entry.title.clone())
            };
            entries.with(find).unwrap_or_default()
        });
        Self {
            id,
            entries,
            chosen,
            on_choose,
            field: NodeRef::new(),
            open: RwSignal::new(false),
            typed,
            active: RwSignal::new(0),
            matches,
            title,
        }
    }

    fn option_id(self, position: usize) -> String {
        format!("{}-option-{position}", self.id)
    }

    /// How many matches are listed.
    fn listed(self) -> usize {
        self.matches.with(Vec::len).min(LISTED)
    }

    fn show(self) {
        if self.open.get_untracked() {
            return;
        }
        self.typed.set(String::new());
        let chosen = self.chosen.get_untracked();
        let at = self.entries.with_untracked(|entries| entries.iter().position(|entry| entry.key == chosen));
        self.active.set(at.unwrap_or(0));
        self.open.set(true);
        if let Some(field) = self.field.get_untracked() {
            field.select();
        }
    }

    /// Closes the list; the field shows what is chosen, not what was typed.
    fn hide(self) {
        self.open.set(false);
        self.typed.set(String::new());
        if let Some(field) = self.field.get_untracked() {
            field.set_value(&self.title.get_untracked());
        }
    }

    fn choose(self, index: usize) {
        let key = self.entries.with_untracked(|entries| entries.get(index).map(|entry| entry.key.clone()));
        if let Some(key) = key {
            self.on_choose.run(key);
        }
        self.hide();
    }

    fn step(self, forward: bool) {
        if !self.open.get_untracked() {
            self.show();
            return;
        }
        let count = untrack(|| self.listed());
        if count > 0 {
            self.active
                .update(|at| *at = if forward { (*at + 1) % count } else { (*at + count - 1) % count });
        }
    }

    fn on_key(self, event: &KeyboardEvent) {
        let open = self.open.get_untracked();
        match event.key().as_str() {
            "ArrowDown" => self.step(true),
            "ArrowUp" => self.step(false),
            "Enter" if open => {
                let at = self.active.get_untracked();
                if let Some(index) = self.matches.with_untracked(|matches| matches.get(at).copied()) {
                    self.choose(index);
                }
            }
            "Enter" => self.show(),
            "Escape" if open => self.hide(),
            _ => return,
        }
        event.prevent_default();
    }

    fn on_input(self, text: String) {
        self.typed.set(text);
        self.active.set(0);
        self.open.set(true);
    }

    /// Keeps the active option in sight.
    fn follow_active(self) {
        Effect::new(move |_| {
            let at = self.active.get();
            if self.open.get()
                && let Some(option) = document().get_element_by_id(&self.option_id(at))
            {
                let options = ScrollIntoViewOptions::new();
                options.set_block(ScrollLogicalPosition::Nearest);
                option.scroll_into_view_with_scroll_into_view_options(&options);
            }
        });
    }

    /// How many match, for the eye and for the ear.
    fn count(self) -> String {
        let count = self.matches.with(Vec::len);
        match count {
            _ if !self.open.get() => String::new(),
            0 => "No run matches. Clear the field to see all.".to_owned(),
            _ if count > LISTED => format!("{count} match, {LISTED} listed: type to narrow"),
            _ => format!("{count} match"),
        }
    }

    /// The option of an entry, at its position in the list.
    fn option(self, position: usize, index: usize) -> Option<AnyView> {
        let entry = self.entries.with_untracked(|entries| entries.get(index).cloned())?;
        let selected = self.chosen.get() == entry.key;
        let option = view! {
            <li
                id=self.option_id(position)
                role="option"
                class="option"
                class:active=move || self.active.get() == position
                aria-selected=if selected { "true" } else { "false" }
                // Keeps the focus in the field.
                on:mousedown=|event| event.prevent_default()
                on:mousemove=move |_| {
                    if self.active.get_untracked() != position {
                        self.active.set(position);
                    }
                }
                on:click=move |_| self.choose(index)
            >
                <span class="option-title">{entry.title}</span>
                <span class="option-detail">{entry.detail}</span>
            </li>
        };
        Some(option.into_any())
    }
}

/// A labelled text field with a list under it.
#[component]
pub fn Picker(
    /// The text field's id.
    id: &'static str,
    /// What is chosen.
    label: &'static str,
    /// The entries, in order.
    #[prop(into)]
    entries: Signal<Vec<Entry>>,
    /// The key of the current entry.
    #[prop(into)]
    chosen: Signal<String>,
    /// Called with the key of the reader's choice.
    #[prop(into)]
    on_choose: Callback<String>,
) -> impl IntoView {
    let state = State::new(id, entries, chosen, on_choose);
    state.follow_active();
    let State { field, open, active, matches, title, .. } = state;
    let list_id = format!("{id}-list");
    let options = move || {
        let list = |matches: Vec<usize>| {
            let listed = matches.into_iter().take(LISTED).enumerate();
            listed.filter_map(|(position, index)| state.option(position, index)).collect_view()
        };
        open.get().then(|| list(matches.get()))
    };
    view! {
        <div class="field picker">
            <label for=id>{label}</label>
            <div class="picker-box">
                <input
                    id=id
                    node_ref=field
                    type="text"
                    role="combobox"
                    autocomplete="off"
                    spellcheck="false"
                    aria-autocomplete="list"
                    aria-haspopup="listbox"
                    aria-controls=list_id.clone()
                    aria-expanded=move || if open.get() { "true" } else { "false" }
                    aria-activedescendant=move || {
                        let at = active.get();
                        (open.get() && at < state.listed()).then(|| state.option_id(at))
                    }
                    prop:value=move || title.get()
                    title=move || title.get()
                    on:click=move |_| state.show()
                    on:keydown=move |event| state.on_key(&event)
                    on:input=move |event| state.on_input(event_target_value(&event))
                    on:blur=move |_| state.hide()
                />
                {Icon::Open.draw()}
                <div class="popup" hidden=move || !open.get()>
                    <ul id=list_id role="listbox" aria-label=label>{options}</ul>
                    <p class="popup-note" role="status">{move || state.count()}</p>
                </div>
            </div>
        </div>
    }
    .into_any()
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
