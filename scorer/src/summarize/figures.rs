//! The figures of a snapshot, spread over the machine's cores.
//!
//! An aggregate's figures depend on nothing but its key and the sweeps, so threads take the next key
//! that nobody has taken; the result stands in the order of the keys, whoever computed it.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use shared::aggregate::Table;
use shared::rules::{Grading, Rules};
use shared::summary::Aggregate;

/// Every aggregate of a table, in the order of its key: what `Table::all` gives, sooner.
#[must_use]
pub fn figures(table: &Table, rules: &Rules, grading: &Grading) -> Vec<Aggregate> {
    let keys = table.keys();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut computed = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(key) = keys.get(place) else { return computed };
            let figures = table.figures(key, rules, grading);
            computed.push((place, Aggregate { of: key.clone(), figures }));
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let mut all: Vec<(usize, Aggregate)> = thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        for helper in helpers {
            match helper.join() {
                Ok(computed) => all.extend(computed),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.sort_unstable_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, aggregate)| aggregate).collect()
}
