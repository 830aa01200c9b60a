//! The account of a check, to be opened in every view.

pub mod model;

use shared::index::IndexEntry;

use self::model::{Account, State, Step};
use crate::components::icon::Icon;
use crate::dom::{Element, Node, element};
use crate::message::Check;

/// What checking a run has shown: `check` follows signals; `name` is `Run A` or the like.
pub fn panel(name: &'static str, entry: IndexEntry, check: impl Fn() -> Check + Clone + 'static) -> Element {
    let account = move || model::account(&entry, &check());
    let line = {
        let account = account.clone();
        move || account().verdict
    };
    let summary = element("summary")
        .child(element("strong").child(format!("How {name} was verified")))
        .child(element("span").class("soft").live_text(line));
    element("details")
        .class("panel verify")
        .child(summary)
        .child(element("div").class("panel-body").live(account, draw))
}

fn draw(account: &Account) -> Vec<Node> {
    let fact = |(name, value): &(&str, String)| {
        element("div")
            .child(element("dt").child(*name))
            .child(element("dd").child(element("code").child(value.as_str())))
    };
    let facts = element("dl").class("glossary source").children(account.facts.iter().map(fact));
    let steps = element("ol").class("steps").children(account.steps.iter().map(step));
    let difference = account.difference.iter().map(|difference| {
        element("div")
            .class("difference")
            .child(element("h3").child("The first difference"))
            .child(element("p").child(difference.as_str()))
    });
    let commands = element("div").child(element("h3").child("The same without this page")).children(
        account.commands.iter().map(|command| element("pre").child(element("code").child(command.as_str()))),
    );
    let nodes = [facts, steps].into_iter().chain(difference).chain([commands]);
    nodes.map(Node::from).collect()
}

fn step(Step { what, state, result }: &Step) -> Element {
    let icon = match state {
        State::Right => Some(Icon::Tick),
        State::Wrong => Some(Icon::Cross),
        State::Open | State::Running => None,
    };
    let class = match state {
        State::Right => "chip good",
        State::Wrong => "chip bad",
        State::Open | State::Running => "chip",
    };
    let word = match state {
        State::Right => "right",
        State::Wrong => "wrong",
        State::Running => "under way",
        State::Open => "not done",
    };
    let chip = element("span").class(class).children(icon.map(Icon::draw)).child(word);
    let result = if result.is_empty() { String::new() } else { format!(": {result}") };
    element("li").child(chip).child(" ").child(what.as_str()).child(result)
}
