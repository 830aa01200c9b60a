//! The page's end of the line to its worker.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, ArrayBuffer, JSON};
use leptos::prelude::document;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

use super::reply;
use crate::browser::{pause, words};
use crate::dom;
use crate::message::{Check, Comparison, Reply, Request};

/// How long the page may paint before the worker is started, in milliseconds: the tables come first.
const HEAD_START_MS: i32 = 50;

/// A line to the worker, which is started when there is something to tell it.
#[derive(Clone)]
pub struct Link {
    state: Rc<RefCell<State>>,
    listener: Rc<dyn Fn(Reply)>,
}

#[derive(Default)]
struct State {
    worker: Option<Worker>,
    stage: Stage,
    /// What has not been sent yet: words and a file; the file again, to be handed over.
    waiting: Vec<(Array, Array)>,
    /// What has not been answered in full.
    open: Vec<Request>,
}

#[derive(Default)]
enum Stage {
    #[default]
    Idle,
    Starting,
    Ready,
    /// There is no worker, and why.
    Failed(String),
}

impl Link {
    /// A line whose replies go to `listener`.
    pub fn new(listener: impl Fn(Reply) + 'static) -> Self {
        Self { state: Rc::default(), listener: Rc::new(listener) }
    }

    /// Starts the worker at once, for somebody who is going to wait for it.
    pub fn prepare(&self) {
        let mut state = self.state.borrow_mut();
        if matches!(state.stage, Stage::Idle) {
            state.stage = Stage::Starting;
            drop(state);
            self.start();
        }
    }

    /// Tells the worker something; a file that goes with it is handed over, not copied.
    pub fn send(&self, request: Request, file: Option<&ArrayBuffer>) {
        let mut state = self.state.borrow_mut();
        if let Stage::Failed(why) = &state.stage {
            let reply = refusal(request, why);
            drop(state);
            (self.listener)(reply);
            return;
        }
        let message: Array = request.words().into_iter().map(JsValue::from_str).collect();
        let files: Array = file.into_iter().collect();
        state.open.push(request);
        state.waiting.push((message.concat(&files), files));
        match state.stage {
            Stage::Idle => {
                state.stage = Stage::Starting;
                let link = self.clone();
                spawn_local(async move {
                    pause(HEAD_START_MS).await;
                    link.start();
                });
            }
            Stage::Ready => state.flush(),
            Stage::Starting | Stage::Failed(_) => {}
        }
    }

    fn start(&self) {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = match Worker::new_with_options(&address(), &options) {
            Ok(worker) => worker,
            Err(error) => return self.fail(&words(&error)),
        };
        let link = self.clone();
        dom::listen(&worker, "message", move |event| {
            let text = event.unchecked_into::<MessageEvent>().data().as_string().unwrap_or_default();
            let json = JSON::parse(&text).map_err(|error| words(&error));
            match json.and_then(reply::read) {
                Ok(reply) => link.receive(reply),
                Err(why) => link.fail(&why),
            }
        });
        let link = self.clone();
        dom::listen(&worker, "error", move |event| {
            link.fail(&words(&event));
        });
        self.state.borrow_mut().worker = Some(worker);
    }

    fn receive(&self, reply: Reply) {
        let mut state = self.state.borrow_mut();
        match &reply {
            Reply::Ready => {
                state.stage = Stage::Ready;
                state.flush();
            }
            Reply::Checked { id: checked, check } if check.is_final() => {
                state.open.retain(|request| !matches!(request, Request::Hold { id, .. } if id == checked));
            }
            Reply::Checked { .. } => {}
            Reply::Compared(Comparison { question: answered, .. }) => state
                .open
                .retain(|request| !matches!(request, Request::Compare(question) if question == answered)),
        }
        drop(state);
        (self.listener)(reply);
    }

    /// Gives the worker up, and answers everything that it has not.
    fn fail(&self, why: &str) {
        let mut state = self.state.borrow_mut();
        state.stage = Stage::Failed(why.to_owned());
        if let Some(worker) = state.worker.take() {
            worker.terminate();
        }
        let open = std::mem::take(&mut state.open);
        drop(state);
        for request in open {
            (self.listener)(refusal(request, why));
        }
    }
}

impl State {
    fn flush(&mut self) {
        let Some(worker) = &self.worker else { return };
        for (message, files) in self.waiting.drain(..) {
            // Everything in it can be cloned, and no file is handed over twice.
            let _infallible = worker.post_message_with_transfer(&message, &files);
        }
    }
}

/// Where the worker's program is: the page says so.
fn address() -> String {
    let bundle = document().query_selector("meta[name=bundle]").ok().flatten();
    bundle.and_then(|bundle| bundle.get_attribute("data-worker")).unwrap_or_default()
}

/// The answer to a request that nobody can answer.
fn refusal(request: Request, why: &str) -> Reply {
    match request {
        Request::Hold { id, .. } => Reply::Checked { id, check: Check::Failed(why.to_owned()) },
        Request::Compare(question) => Reply::Compared(Comparison::refused(
            question,
            format!(
                "The part of this page that compares could not start ({why}). Reload the page to try again."
            ),
        )),
    }
}
