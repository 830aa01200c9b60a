//! A file that is not there, and what the reader can do about it.

use leptos::prelude::*;

use crate::components::notice::{Notice, Weight};
use crate::data::failure::Failure;

/// Says what failed; `retry` is offered where trying again can help.
#[component]
pub fn FailureNotice(
    /// What failed.
    failure: Failure,
    /// Tries again.
    #[prop(into)]
    retry: Callback<()>,
) -> impl IntoView {
    let weight = if failure == Failure::NoData { Weight::Information } else { Weight::Failure };
    let again = failure.can_retry().then(|| {
        view! {
            <p>
                <button type="button" class="button" on:click=move |_| retry.run(())>"Try again"</button>
            </p>
        }
    });
    view! {
        <div role="alert">
            <Notice weight>
                <h2>{failure.title()}</h2>
                <p>{failure.text()}</p>
                {again}
            </Notice>
        </div>
    }
    .into_any()
}
