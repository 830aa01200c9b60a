//! `scorer workload`: the request list of a point, as CSV or JSON.

use std::fmt::Write as _;

use serde::Serialize;

use crate::cli::workload::{Format, WorkloadArgs};
use crate::console::Console;
use crate::exit::{CommandResult, ExitCode};
use crate::files::{FileError, json_bytes};
use crate::workload::{ClientParameters, RequestList, SEED, WorkloadError};

/// Draws the list and writes it.
pub fn run(args: &WorkloadArgs, console: &Console) -> CommandResult {
    let parameters = parameters(args)?;
    let list = RequestList::draw(&parameters)?;
    let bytes = match args.format {
        Format::Csv => csv(&list),
        Format::Json => json(args.conc, &parameters, &list)?,
    };
    args.output.write(&bytes)?;
    console.detail(&format!(
        "{} requests, {} input tokens, {} output tokens",
        list.len(),
        list.total_input_tokens(),
        list.total_output_tokens()
    ));
    Ok(ExitCode::Success)
}

fn parameters(args: &WorkloadArgs) -> Result<ClientParameters, WorkloadError> {
    let ordinary = match args.num_prompts {
        None => ClientParameters::ordinary(args.isl, args.osl, args.conc)?,
        Some(num_prompts) => {
            ClientParameters { num_prompts, ..ClientParameters::ordinary(args.isl, args.osl, 1)? }
        }
    };
    Ok(ClientParameters { range_ratio: args.ratio, template_k: args.template_k, ..ordinary })
}

fn csv(list: &RequestList) -> Vec<u8> {
    let mut text = String::from("input_tokens,output_tokens\n");
    for (input, output) in list.requests() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{input},{output}");
    }
    text.into_bytes()
}

/// The list with its parameters, named as in the client's own result files.
#[derive(Serialize)]
struct Document<'list> {
    isl: u32,
    osl: u32,
    concurrency: u32,
    range_ratio: f64,
    num_prompts: u32,
    template_k: u32,
    seed: u32,
    total_input_tokens: u64,
    total_output_tokens: u64,
    input_lens: &'list [u32],
    output_lens: &'list [u32],
}

fn json(concurrency: u32, parameters: &ClientParameters, list: &RequestList) -> Result<Vec<u8>, FileError> {
    json_bytes(&Document {
        isl: parameters.isl,
        osl: parameters.osl,
        concurrency,
        range_ratio: parameters.range_ratio,
        num_prompts: parameters.num_prompts,
        template_k: parameters.template_k,
        seed: SEED,
        total_input_tokens: list.total_input_tokens(),
        total_output_tokens: list.total_output_tokens(),
        input_lens: list.inputs(),
        output_lens: list.outputs(),
    })
}
