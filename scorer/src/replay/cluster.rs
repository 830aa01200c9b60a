//! The shard that a cluster gives this process, by the variables that the cluster sets: Slurm in the
//! tasks of a job array, Kubernetes in the pods of an Indexed Job.
//!
//! Neither is asked for anything: the variables are all that is read. What they cannot mean is an
//! error, because a wrong guess would run a part of the plan twice and another one never.

use std::ffi::OsString;
use std::fmt;
use std::num::NonZeroU32;

use super::shard::Shard;
use crate::exit::{ExitCode, Failure};

/// The task's number, and with the four below all of an array.
const TASK: &str = "SLURM_ARRAY_TASK_ID";
const TASK_COUNT: &str = "SLURM_ARRAY_TASK_COUNT";
const TASK_MIN: &str = "SLURM_ARRAY_TASK_MIN";
const TASK_MAX: &str = "SLURM_ARRAY_TASK_MAX";
const TASK_STEP: &str = "SLURM_ARRAY_TASK_STEP";

/// The pod's index, counted from 0.
const INDEX: &str = "JOB_COMPLETION_INDEX";
/// How many indexes there are. Kubernetes does not tell it: the manifest has to.
const COMPLETIONS: &str = "COMPLETIONS";

/// The longest value of a variable that is shown.
const LONGEST_VALUE: usize = 40;

/// The shard that a cluster gave this process; it is shown as what was taken and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The shard, balanced by cost.
    pub shard: Shard,
    /// By which numbers of the cluster.
    place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Slurm(Array),
    Kubernetes { index: u32, completions: u32 },
}

/// A job array of Slurm's as one of its tasks sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Array {
    task: u32,
    count: u32,
    min: u32,
    max: u32,
    step: u32,
}

/// The variables do not tell which shard is meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClusterError {
    /// Two clusters say that they have started this process.
    #[error(
        "{TASK} (Slurm) and {INDEX} (Kubernetes) are both set, so it is not clear which part of the plan to run"
    )]
    Both,
    /// A variable is not there that belongs to the others.
    #[error("{present} is set, but {missing} is not, so it is not clear which part of the plan to run")]
    Missing {
        /// What is set.
        present: &'static str,
        /// What is not.
        missing: &'static str,
    },
    /// A variable is no number.
    #[error("{variable} is `{value}`, which is no number from 0 to {}", u32::MAX)]
    NotANumber {
        /// The variable.
        variable: &'static str,
        /// Its value, or the beginning of it.
        value: String,
    },
    /// The tasks of an array have no even numbers, or this is none of them.
    #[error("which part of the plan is this one's does not follow from {0}")]
    Uneven(Array),
    /// The index is not one of so many.
    #[error("{INDEX} is {index}, but {COMPLETIONS} is {completions}, and indexes count from 0")]
    Outside {
        /// The index.
        index: u32,
        /// How many there are.
        completions: u32,
    },
}

impl Failure for ClusterError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }

    fn advice(&self) -> Option<String> {
        let first = match self {
            Self::Missing { missing: COMPLETIONS, .. } | Self::Outside { .. } => {
                "set COMPLETIONS in the manifest to the number of its completions"
            }
            Self::Uneven(_) => "number the array's tasks evenly, such as --array=1-10",
            Self::Both | Self::Missing { .. } | Self::NotANumber { .. } => "unset what does not belong here",
        };
        Some(format!("{first}, or say which part by --shard (1/1 is all of the plan)"))
    }
}

/// The shard that the variables give, if a cluster set any.
///
/// # Errors
/// When they contradict each other, are incomplete, or are no numbers.
pub fn assigned(
    variable: impl Fn(&'static str) -> Option<OsString>,
) -> Result<Option<Assignment>, ClusterError> {
    let number = |name| number(name, variable(name));
    let needed = |present, missing| number(missing)?.ok_or(ClusterError::Missing { present, missing });
    match (number(TASK)?, number(INDEX)?) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => Err(ClusterError::Both),
        (Some(task), None) => Array {
            task,
            count: needed(TASK, TASK_COUNT)?,
            min: needed(TASK, TASK_MIN)?,
            max: needed(TASK, TASK_MAX)?,
            step: needed(TASK, TASK_STEP)?,
        }
        .assignment()
        .map(Some),
        (None, Some(index)) => {
            let completions = needed(INDEX, COMPLETIONS)?;
            let shard = shard(index, completions).ok_or(ClusterError::Outside { index, completions })?;
            Ok(Some(Assignment { shard, place: Place::Kubernetes { index, completions } }))
        }
    }
}

/// The number in a variable; none when it is not set or empty.
fn number(variable: &'static str, value: Option<OsString>) -> Result<Option<u32>, ClusterError> {
    let value = value.unwrap_or_default();
    let value = value.to_string_lossy();
    if value.is_empty() {
        return Ok(None);
    }
    let digits = value.bytes().all(|byte| byte.is_ascii_digit());
    let parsed = value.parse().ok().filter(|_| digits);
    parsed.map(Some).ok_or_else(|| ClusterError::NotANumber {
        variable,
        value: value.chars().take(LONGEST_VALUE).collect(),
    })
}

/// The shard at a place counted from 0.
fn shard(index: u32, count: u32) -> Option<Shard> {
    let number = index.checked_add(1).and_then(NonZeroU32::new)?;
    Shard::balanced(number, NonZeroU32::new(count)?)
}

impl Array {
    /// The tasks of `--array=1-9:2` are 1, 3, 5, 7 and 9: five shards, in this order.
    ///
    /// A list such as `--array=1,2,7` has a step too, which then does not lead from the first to the last.
    fn assignment(self) -> Result<Assignment, ClusterError> {
        let uneven = || ClusterError::Uneven(self);
        let Self { task, count, min, max, step } = self;
        let spread = count.checked_sub(1).and_then(|steps| steps.checked_mul(step)).ok_or_else(uneven)?;
        let offset = task.checked_sub(min).ok_or_else(uneven)?;
        if min.checked_add(spread) != Some(max) || offset.checked_rem(step) != Some(0) {
            return Err(uneven());
        }
        let shard = shard(offset / step, count).ok_or_else(uneven)?;
        Ok(Assignment { shard, place: Place::Slurm(self) })
    }
}

impl fmt::Display for Array {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { task, count, min, max, step } = self;
        write!(formatter, "task {task} of Slurm's array of {count}, numbered {min} to {max} by {step}")
    }
}

impl fmt::Display for Assignment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shard, place } = self;
        match place {
            Place::Slurm(array) => write!(formatter, "shard {shard}: {array}"),
            Place::Kubernetes { index, completions } => {
                write!(
                    formatter,
                    "shard {shard}: index {index} of {completions} of a Kubernetes job, counted from 0"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(variables: &[(&str, &str)]) -> Result<Option<Assignment>, ClusterError> {
        assigned(|name| {
            let value = variables.iter().find(|(variable, _)| *variable == name)?.1;
            Some(value.into())
        })
    }

    /// A task of an array: number, count, first, last, step.
    fn task(numbers: [&str; 5]) -> Result<String, ClusterError> {
        let names = [TASK, TASK_COUNT, TASK_MIN, TASK_MAX, TASK_STEP];
        let variables: Vec<(&str, &str)> = names.into_iter().zip(numbers).collect();
        found(&variables).map(|assignment| assignment.unwrap().shard.to_string())
    }

    fn index(index: &str, completions: &str) -> Result<String, ClusterError> {
        found(&[(INDEX, index), (COMPLETIONS, completions)])
            .map(|assignment| assignment.unwrap().shard.to_string())
    }

    #[test]
    fn without_a_cluster_there_is_no_shard() {
        assert_eq!(found(&[]), Ok(None));
        // What only belongs to one, and what is set to nothing, starts none.
        assert_eq!(found(&[(COMPLETIONS, "5"), (TASK_COUNT, "3"), (TASK, ""), (INDEX, "")]), Ok(None));
    }

    #[test]
    fn the_tasks_of_an_array_are_counted_from_its_first_by_its_step() {
        assert_eq!(task(["0", "10", "0", "9", "1"]).unwrap(), "1/10");
        assert_eq!(task(["9", "10", "0", "9", "1"]).unwrap(), "10/10");
        assert_eq!(task(["5", "10", "1", "10", "1"]).unwrap(), "5/10");
        assert_eq!(task(["14", "3", "10", "18", "4"]).unwrap(), "2/3");
        assert_eq!(task(["7", "1", "7", "7", "1"]).unwrap(), "1/1");
    }

    #[test]
    fn an_array_whose_tasks_have_no_even_numbers_is_refused() {
        for numbers in [
            ["1", "3", "1", "7", "1"],
            ["3", "3", "1", "7", "2"],
            ["4", "3", "10", "18", "4"],
            ["15", "3", "10", "18", "4"],
            ["22", "3", "10", "18", "4"],
            ["1", "2", "1", "1", "0"],
            ["1", "0", "1", "1", "1"],
            ["4294967295", "4294967295", "4294967295", "4294967295", "4294967295"],
        ] {
            assert!(matches!(task(numbers), Err(ClusterError::Uneven(_))), "{numbers:?}");
        }
        assert_eq!(
            task(["3", "3", "1", "7", "2"]).unwrap_err().to_string(),
            "which part of the plan is this one's does not follow from task 3 of Slurm's array of 3, numbered 1 to 7 by 2"
        );
    }

    #[test]
    fn the_indexes_of_a_job_are_counted_from_0() {
        assert_eq!(index("0", "4").unwrap(), "1/4");
        assert_eq!(index("3", "4").unwrap(), "4/4");
        for (number, completions) in [("4", "4"), ("0", "0"), ("4294967295", "4294967295")] {
            assert!(matches!(index(number, completions), Err(ClusterError::Outside { .. })), "{number}");
        }
    }

    #[test]
    fn what_is_incomplete_or_no_number_is_refused_with_the_variables_name() {
        let said = |variables: &[(&str, &str)]| found(variables).unwrap_err().to_string();
        assert!(said(&[(INDEX, "0")]).contains("but COMPLETIONS is not"));
        assert!(said(&[(TASK, "1")]).contains("but SLURM_ARRAY_TASK_COUNT is not"));
        assert!(said(&[(TASK, "1"), (INDEX, "1")]).contains("are both set"));
        for value in ["one", "-1", "+1", " 1", "1.0", "4294967296"] {
            let text = said(&[(TASK, value)]);
            assert!(text.contains("SLURM_ARRAY_TASK_ID") && text.contains(value), "{text}");
        }
        assert!(said(&[(INDEX, &"9".repeat(10_000))]).len() < 200);
    }

    #[test]
    fn what_was_taken_says_why() {
        let assignment = found(&[(INDEX, "2"), (COMPLETIONS, "4")]).unwrap().unwrap();
        assert_eq!(assignment.to_string(), "shard 3/4: index 2 of 4 of a Kubernetes job, counted from 0");
    }

    proptest! {
        #[test]
        fn the_tasks_of_an_even_array_get_every_shard_once(
            min in 0..1_000_u32, step in 1..50_u32, count in 1..60_u32,
        ) {
            let max = min + step * (count - 1);
            for position in 0..count {
                let text = [min + step * position, count, min, max, step].map(|number| number.to_string());
                let shard = task(text.each_ref().map(String::as_str));
                prop_assert_eq!(shard.unwrap(), format!("{}/{}", position + 1, count));
            }
        }

        #[test]
        fn no_values_make_it_panic(values in prop::collection::vec("[0-9]{0,11}|\\PC{0,8}", 7)) {
            let names = [TASK, TASK_COUNT, TASK_MIN, TASK_MAX, TASK_STEP, INDEX, COMPLETIONS];
            let variables: Vec<(&str, &str)> =
                names.into_iter().zip(values.iter().map(String::as_str)).collect();
            let _ = found(&variables);
        }
    }
}
