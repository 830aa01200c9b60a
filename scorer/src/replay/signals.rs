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
        // One listener for both: what comes between two listeners would be lost.
        let Some(mut signals) = Signals::open() else { return };
        for stop in [Stop::Drain, Stop::Now] {
            if !signals.next().await || sender.send(stop).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Tells a person what the stops mean.
pub struct Teller<'run> {
    stops: Stops,
    told: Stop,
    console: &'run Console,
}

impl<'run> Teller<'run> {
    /// One that has told nothing yet.
    pub fn new(stops: Stops, console: &'run Console) -> Self {
        Self { stops, told: Stop::No, console }
    }

    /// Tells the stops as they come. It never ends by itself.
    pub async fn follow(&mut self) -> Infallible {
        while self.stops.changed().await.is_ok() {
            self.catch_up();
        }
        std::future::pending().await
    }

    /// Tells a stop that ended the work before [`follow`](Self::follow) saw it.
    pub fn catch_up(&mut self) {
        let stop = *self.stops.borrow_and_update();
        if stop == self.told {
            return;
        }
        self.told = stop;
        self.console.warning(match stop {
            Stop::No => return,
            Stop::Drain => "stopping: points under way are finished and saved; again to give them up",
            Stop::Now => "stopping now: points under way are given up",
        });
    }
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn open() -> Option<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Some(Self {
            interrupt: signal(SignalKind::interrupt()).ok()?,
            terminate: signal(SignalKind::terminate()).ok()?,
        })
    }

    /// Waits for a signal; false when none can ever come.
    async fn next(&mut self) -> bool {
        tokio::select! {
            received = self.interrupt.recv() => received.is_some(),
            received = self.terminate.recv() => received.is_some(),
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn open() -> Option<Self> {
        Some(Self)
    }

    async fn next(&mut self) -> bool {
        tokio::signal::ctrl_c().await.is_ok()
    }
}
