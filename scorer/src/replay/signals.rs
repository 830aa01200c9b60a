//! Ctrl-C in two stages: the first stops the start of new work and saves what is under way, the
//! second gives up what is under way. What was written to the journal stays in either case.

use std::convert::Infallible;

use tokio::sync::watch;

use crate::console::Console;

/// How urgently a run is asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// It is not.
    No,
    /// Start nothing new; finish and save what is under way.
    Drain,
    /// Give up what is under way.
    Now,
}

/// Where a run learns that it should stop.
pub type Stops = watch::Receiver<Stop>;

/// Listens for interrupts (and, on Unix, for the polite signal to end) from now on.
///
/// Must be called within a runtime.
#[must_use]
pub fn listen() -> Stops {
    let (sender, receiver) = watch::channel(Stop::No);
    tokio::spawn(async move {
        for stop in [Stop::Drain, Stop::Now] {
            if !signal().await {
                return;
            }
            if sender.send(stop).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Tells a person what the stops mean, as they come. It never ends by itself.
pub async fn tell(mut stops: Stops, console: &Console) -> Infallible {
    while stops.changed().await.is_ok() {
        match *stops.borrow_and_update() {
            Stop::No => {}
            Stop::Drain => {
                console.warning("stopping: points under way are finished and saved; again to give them up");
            }
            Stop::Now => console.warning("stopping now: points under way are given up"),
        }
    }
    std::future::pending().await
}

/// Waits for a signal; false when none can ever come.
#[cfg(unix)]
async fn signal() -> bool {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return false;
    };
    tokio::select! {
        received = interrupt.recv() => received.is_some(),
        received = terminate.recv() => received.is_some(),
    }
}

#[cfg(not(unix))]
async fn signal() -> bool {
    tokio::signal::ctrl_c().await.is_ok()
}
