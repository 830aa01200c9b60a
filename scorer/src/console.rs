//! What a person sees: messages and progress on stderr, never on stdout, which belongs to the data.
//!
//! Text from files reaches the terminal through [`printable`], so that it cannot move the cursor,
//! set colours or forge a line of its own.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anstream::{AutoStream, ColorChoice};
use clap::builder::styling::{AnsiColor, Style};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::cli::{GlobalArgs, When};
use crate::exit::CommandError;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const ADVICE: Style = AnsiColor::Cyan.on_default();
const FAINT: Style = Style::new().dimmed();

/// How often a bar's words change.
const BAR_INTERVAL: Duration = Duration::from_millis(100);

/// How often progress is told where there is no terminal to draw a bar on.
const PLAIN_INTERVAL: Duration = Duration::from_secs(10);

const BAR: &str = "{bar:32} {human_pos}/{human_len} {msg}, {elapsed} so far, {eta} to go";

/// Where messages and progress go, and how much of them.
///
/// It may be shared between threads, and copies are of the same console: a message and a progress bar never tear each other apart.
#[derive(Clone, Debug)]
pub struct Console {
    verbosity: Verbosity,
    color: ColorChoice,
    bars: MultiProgress,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verbosity {
    Quiet,
    Normal,
    Verbose,
}

impl Console {
    /// A console as the global options ask for.
    #[must_use]
    pub fn new(options: &GlobalArgs) -> Self {
        let verbosity = match (options.quiet, options.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, true) => Verbosity::Verbose,
            (false, false) => Verbosity::Normal,
        };
        let color = match options.color {
            When::Auto => ColorChoice::Auto,
            When::Always => ColorChoice::Always,
            When::Never => ColorChoice::Never,
        };
        color.write_global();
        Self { verbosity, color, bars: MultiProgress::new() }
    }

    /// A console that prints only warnings and errors, for tests and benches.
    #[must_use]
    pub fn quiet() -> Self {
        Self::new(&GlobalArgs { quiet: true, ..GlobalArgs::default() })
    }

    /// Tells what was done; silent under `--quiet`.
    pub fn status(&self, text: &str) {
        if self.verbosity >= Verbosity::Normal {
            self.line(&printable(text));
        }
    }

    /// Tells a step or a detail; only under `--verbose`.
    pub fn detail(&self, text: &str) {
        if self.verbosity >= Verbosity::Verbose {
            self.line(&format!("{FAINT}{}{FAINT:#}", printable(text)));
        }
    }

    /// Warns; also under `--quiet`.
    pub fn warning(&self, text: &str) {
        self.line(&format!("{WARNING}warning:{WARNING:#} {}", printable(text)));
    }

    /// Reports the error that ends the command: what, why, and what to do.
    pub fn failure(&self, error: &CommandError) {
        self.line(&format!("{ERROR}error:{ERROR:#} {}", printable_lines(&error.to_string())));
        for cause in error.causes() {
            self.line(&format!("  {FAINT}cause:{FAINT:#} {}", printable_lines(&cause)));
        }
        if let Some(advice) = error.advice() {
            self.line(&format!("  {ADVICE}advice:{ADVICE:#} {}", printable_lines(&advice)));
        }
    }

    /// Whether text on stdout may carry colours.
    #[must_use]
    pub fn colors_stdout(&self) -> bool {
        let choice = match self.color {
            ColorChoice::Auto => AutoStream::choice(&io::stdout()),
            chosen => chosen,
        };
        choice != ColorChoice::Never
    }

    /// Starts to tell the progress of work in `total` equal steps, for example "points".
    ///
    /// On a terminal it is a bar, elsewhere a line now and then, under `--quiet` nothing.
    #[must_use]
    pub fn progress<'console>(&'console self, total: u64, unit: &'console str) -> Progress<'console> {
        let bar = (self.verbosity > Verbosity::Quiet && io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(total).with_message(unit.to_owned());
            if let Ok(style) = ProgressStyle::with_template(BAR) {
                bar.set_style(style);
            }
            self.bars.add(bar)
        });
        Progress {
            console: self,
            unit,
            total,
            bar,
            done: AtomicU64::new(0),
            last_told: Mutex::new(Instant::now()),
        }
    }

    /// Starts to tell the progress of work in `total` steps, in words of the caller's.
    ///
    /// On a terminal it is a bar with those words, elsewhere a line now and then, under `--quiet`
    /// nothing.
    #[must_use]
    pub fn live_line(&self, total: u64) -> LiveLine<'_> {
        let bar = (self.verbosity > Verbosity::Quiet && io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(total);
            if let Ok(style) = ProgressStyle::with_template("{bar:32} {wide_msg}") {
                bar.set_style(style);
            }
            self.bars.add(bar)
        });
        LiveLine { console: self, bar, last_told: Mutex::new(Instant::now()) }
    }

    /// One line on stderr. When stderr is gone there is nobody left to tell.
    fn line(&self, text: &str) {
        self.bars.suspend(|| {
            let mut stderr = AutoStream::new(io::stderr(), self.color);
            let _ = writeln!(stderr, "{text}");
        });
    }
}

/// The progress of one piece of work; threads may share it.
#[derive(Debug)]
pub struct Progress<'console> {
    console: &'console Console,
    unit: &'console str,
    total: u64,
    bar: Option<ProgressBar>,
    done: AtomicU64,
    last_told: Mutex<Instant>,
}

impl Progress<'_> {
    /// Counts `steps` more as done.
    pub fn advance(&self, steps: u64) {
        let done = self.done.fetch_add(steps, Ordering::Relaxed).saturating_add(steps);
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            return;
        }
        let Ok(mut last_told) = self.last_told.lock() else {
            return;
        };
        if last_told.elapsed() >= PLAIN_INTERVAL {
            *last_told = Instant::now();
            self.console.status(&format!("{done} of {} {} done", self.total, self.unit));
        }
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Progress in words of the caller's; threads may share it.
#[derive(Debug)]
pub struct LiveLine<'console> {
    console: &'console Console,
    bar: Option<ProgressBar>,
    last_told: Mutex<Instant>,
}

impl LiveLine<'_> {
    /// Tells how far the work is, if it is time to tell again.
    pub fn update(&self, done: u64, text: impl FnOnce() -> String) {
        let interval = if self.bar.is_some() { BAR_INTERVAL } else { PLAIN_INTERVAL };
        let Ok(mut last_told) = self.last_told.lock() else { return };
        if last_told.elapsed() < interval {
            return;
        }
        *last_told = Instant::now();
        match &self.bar {
            Some(bar) => {
                bar.set_position(done);
                bar.set_message(text());
            }
            None => self.console.status(&text()),
        }
    }
}

impl Drop for LiveLine<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The text on one line, with every control character made visible.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || is_bidi_control(c) {
            // Writing to a string cannot fail.
            let _ = write!(shown, "{}", c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// A message of several lines: each as [`printable`], all but the first set in so far that none can pass
/// for a line of ours.
fn printable_lines(text: &str) -> String {
    let lines: Vec<String> = text.trim_end().split('\n').map(printable).collect();
    lines.join("\n         ")
}

/// A time span in its two greatest units.
#[must_use]
pub fn span(seconds: f64) -> String {
    let minutes = (seconds / 60.0).floor();
    if seconds < 60.0 {
        format!("{seconds:.0} s")
    } else if minutes < 60.0 {
        format!("{minutes} min {:.0} s", (seconds - minutes * 60.0).floor())
    } else {
        let hours = (minutes / 60.0).floor();
        format!("{hours} h {} min", minutes - hours * 60.0)
    }
}

/// Characters that reorder the text around them, which can disguise a name.
fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_a_file_cannot_control_the_terminal() {
        assert_eq!(printable("a\u{1b}[2Jb\nerror: c"), "a\\u{1b}[2Jb\\nerror: c");
        assert_eq!(printable("gpt\u{202e}4"), "gpt\\u{202e}4");
        assert_eq!(printable("Δ 10 % — größer"), "Δ 10 % — größer");
    }

    #[test]
    fn a_message_of_several_lines_is_set_in() {
        // As the TOML reader says where it stopped.
        let shown = printable_lines("TOML parse error\n  |\n1 | a = \u{1b}[2J\nerror: forged\n");
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[..3], ["TOML parse error", "           |", "         1 | a = \\u{1b}[2J"]);
        assert_eq!(lines[3..], ["         error: forged"]);
    }

    #[test]
    fn the_bar_has_a_valid_style() {
        assert!(ProgressStyle::with_template(BAR).is_ok());
    }

    #[test]
    fn threads_share_a_progress() {
        let console = Console::quiet();
        let progress = console.progress(8_000, "points");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..1_000).for_each(|_| progress.advance(1)));
            }
        });
        assert_eq!(progress.done.load(Ordering::Relaxed), 8_000);
    }

    #[test]
    fn a_span_is_told_in_its_two_greatest_units() {
        assert_eq!(span(3.2), "3 s");
        assert_eq!(span(61.9), "1 min 1 s");
        assert_eq!(span(7_260.0), "2 h 1 min");
    }
}
