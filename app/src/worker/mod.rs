//! The program of the page's worker: it keeps the snapshots that the page shows, computes them again, and
//! compares any two of them.

mod check;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use js_sys::{Array, ArrayBuffer, Uint8Array, global};
use shared::id::SnapshotId;
use shared::summary::Summary;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use crate::comparing;
use crate::message::{Comparison, Question, Reply, Request};

/// A snapshot, or why its file cannot be read.
type Held = Result<Rc<Summary>, String>;

/// What the worker keeps.
#[derive(Default)]
struct Desk {
    snapshots: RefCell<BTreeMap<SnapshotId, Held>>,
    /// The last question; older ones need no further answer.
    question: RefCell<Option<Question>>,
}

/// Listens to the page from now on.
pub fn start() {
    let desk = Rc::new(Desk::default());
    let hear = move |event: MessageEvent| {
        let message: Array = event.data().unchecked_into();
        let words = [0, 1, 2, 3, 4].map(|index| message.get(index).as_string().unwrap_or_default());
        // Both programs are of one build, so that each understands the other.
        if let Some(request) = Request::of_words(words) {
            desk.answer(request, &message.get(5));
        }
    };
    let hear: JsValue = Closure::<dyn FnMut(MessageEvent)>::new(hear).into_js_value();
    scope().set_onmessage(Some(hear.unchecked_ref()));
    reply(&Reply::Ready);
}

fn scope() -> DedicatedWorkerGlobalScope {
    global().unchecked_into()
}

fn reply(reply: &Reply) {
    // Every key in a reply is text, so that it can be written as JSON; and a text can be posted.
    let text = serde_json::to_string(reply).unwrap_or_default();
    let _infallible = scope().post_message(&JsValue::from_str(&text));
}

impl Desk {
    fn answer(self: &Rc<Self>, request: Request, file: &JsValue) {
        match request {
            Request::Hold { id, sha256 } => {
                let bytes = Uint8Array::new(file.unchecked_ref::<ArrayBuffer>()).to_vec();
                let held: Held =
                    serde_json::from_slice(&bytes).map(Rc::new).map_err(|error| error.to_string());
                self.snapshots.borrow_mut().insert(id.clone(), held.clone());
                spawn_local(async move {
                    let report = |check| reply(&Reply::Checked { id: id.clone(), check });
                    check::run(&bytes, &sha256, held.as_deref(), report).await;
                });
            }
            Request::Compare(question) => {
                self.question.replace(Some(question.clone()));
                let desk = Rc::clone(self);
                spawn_local(async move { desk.compare(question).await });
            }
        }
    }

    async fn compare(&self, question: Question) {
        let (a, b) = (self.held(&question.a), self.held(&question.b));
        match a.and_then(|a| Ok((a, b?))) {
            Ok((a, b)) => {
                let is_wanted = || self.question.borrow().as_ref() == Some(&question);
                comparing::run(&a, &b, &question, is_wanted, |compared, _| {
                    reply(&Reply::Compared(compared.say()));
                })
                .await;
            }
            Err(why) => {
                let obstacle = format!("A snapshot's file cannot be read, so nothing is compared: {why}.");
                reply(&Reply::Compared(Comparison::refused(question, obstacle)));
            }
        }
    }

    fn held(&self, id: &SnapshotId) -> Held {
        let missing = || Err(format!("{id} was never loaded"));
        self.snapshots.borrow().get(id).cloned().unwrap_or_else(missing)
    }
}
