//! The frame around every view: the bar at the top, the main column, the foot.

use leptos::ev::MouseEvent;
use leptos::html;
use leptos::prelude::*;

use crate::components::copy_link::CopyLink;
use crate::components::theme::ThemeSwitch;
use crate::data::Library;
use crate::route::history::Navigator;
use crate::views::overview::Overview;

/// The page.
#[component]
pub fn App() -> impl IntoView {
    let navigator = Navigator::start();
    let library = Library::open();
    provide_context(navigator);
    provide_context(library);

    let main = NodeRef::<html::Main>::new();
    let skip = move |event: MouseEvent| {
        // Followed as a link it would be resolved against <base> and lose the query.
        event.prevent_default();
        if let Some(main) = main.get_untracked() {
            let _unfocusable = main.focus();
        }
    };
    view! {
        <a class="skip" href="#main" on:click=skip>"Skip to the figures"</a>
        <header class="bar">
            <div class="bar-inner">
                <a class="brand" href="./">
                    <svg viewBox="0 0 28 28" aria-hidden="true" focusable="false">
                        <rect class="brand-tile" width="28" height="28" rx="7"></rect>
                        <path class="brand-mark" d="M6 19.5c4 0 5.500-11 9-11s3.500 5 7 5M6 14.500c4 0 6 5.500 9.500 5.500"></path>
                    </svg>
                    <span>"BLIS accuracy dashboard"</span>
                </a>
                <CopyLink/>
                <ThemeSwitch/>
            </div>
        </header>
        <main class="main" id="main" tabindex="-1" node_ref=main>
            <Overview/>
        </main>
    }
    .into_any()
}
