//! The client's draw: parameters of a point in, the lengths of its requests out.

use shared::deployment::Workload;
use shared::plan::PointRequest;

use super::NumpyLegacy;
use crate::exit::{ExitCode, Failure};

/// The seed of every published run; the client's recipes never override its default.
pub const SEED: u32 = 0;

/// Shortest length as a share of the nominal one, in every single-node sweep.
pub const DEFAULT_RANGE_RATIO: f64 = 0.8;

/// Requests per unit of concurrency, in today's recipes. Some earlier ones have 20 or 50.
pub const PROMPTS_PER_CONCURRENCY: u32 = 10;

/// The longest list that is drawn, 80 MB; the largest published point has 81,920 requests.
pub const MAX_REQUESTS: u32 = 10_000_000;

/// What determines the lengths of a point's requests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClientParameters {
    /// Nominal input length in tokens, the chat template included.
    pub isl: u32,
    /// Nominal output length in tokens.
    pub osl: u32,
    /// Shortest length as a share of the longest, from 0 to 1.
    pub range_ratio: f64,
    /// Number of measured requests; warm-ups are not part of the list.
    pub num_prompts: u32,
    /// Tokens that the chat template adds to each prompt; 0 without a template.
    pub template_k: u32,
}

impl ClientParameters {
    /// The parameters of an ordinary single-node point: ratio 0.8, ten requests per unit of
    /// concurrency, no chat template.
    ///
    /// # Errors
    /// When the concurrency is 0 or asks for more than [`MAX_REQUESTS`].
    pub fn ordinary(isl: u32, osl: u32, concurrency: u32) -> Result<Self, WorkloadError> {
        let num_prompts = u64::from(concurrency) * u64::from(PROMPTS_PER_CONCURRENCY);
        Ok(Self {
            isl,
            osl,
            range_ratio: DEFAULT_RANGE_RATIO,
            num_prompts: u32::try_from(num_prompts)
                .map_err(|_| WorkloadError::TooManyRequests { requests: num_prompts })?,
            template_k: 0,
        })
    }

    /// The parameters of a point that is to be replayed.
    ///
    /// # Errors
    /// When it has more than [`MAX_REQUESTS`].
    pub fn of_point(point: &PointRequest) -> Result<Self, WorkloadError> {
        let Workload { isl, osl, range_ratio, prompts_per_concurrency, template_tokens } = point.workload;
        let num_prompts = u64::from(prompts_per_concurrency) * u64::from(point.concurrency);
        let num_prompts = u32::try_from(num_prompts)
            .map_err(|_| WorkloadError::TooManyRequests { requests: num_prompts })?;
        Ok(Self { isl, osl, range_ratio, num_prompts, template_k: template_tokens })
    }

    /// The shortest prompt that may be sent, in tokens, the template included; none when the template has
    /// no room. The longest has [`isl`](Self::isl) tokens.
    #[must_use]
    pub fn shortest_input(&self) -> Option<u32> {
        let longest = self.isl.checked_sub(self.template_k).filter(|longest| *longest > 0)?;
        Some(shortest(longest, self.range_ratio) + self.template_k)
    }
}

/// The lengths of a point's requests, in the order in which they are sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestList {
    inputs: Vec<u32>,
    outputs: Vec<u32>,
}

impl RequestList {
    /// Draws the list: first all input lengths, then all output lengths, from one stream.
    ///
    /// Lengths are uniform over the whole numbers from ⌊L·ratio⌋ to L, where L is the nominal
    /// length and the product an IEEE double. With a chat template the client makes room for it:
    /// it draws with L = isl − k, and the template puts the k tokens back when the prompt is sent.
    /// The list has the lengths as sent, which is what the client saves and the server computes.
    ///
    /// # Errors
    /// When the parameters describe no list, or one of more than [`MAX_REQUESTS`].
    pub fn draw(parameters: &ClientParameters) -> Result<Self, WorkloadError> {
        let &ClientParameters { isl, osl, range_ratio, num_prompts, template_k } = parameters;
        if num_prompts == 0 {
            return Err(WorkloadError::NoRequests);
        }
        if num_prompts > MAX_REQUESTS {
            return Err(WorkloadError::TooManyRequests { requests: num_prompts.into() });
        }
        if !(0.0..=1.0).contains(&range_ratio) {
            return Err(WorkloadError::RatioOutOfRange { ratio: range_ratio });
        }
        if isl == 0 {
            return Err(WorkloadError::ZeroLength { which: "input" });
        }
        if osl == 0 {
            return Err(WorkloadError::ZeroLength { which: "output" });
        }
        let longest_input = match isl.checked_sub(template_k) {
            Some(0) | None => return Err(WorkloadError::TemplateTooLong { template_k, isl }),
            Some(longest) => longest,
        };
        let count = usize::try_from(num_prompts)
            .map_err(|_| WorkloadError::TooManyRequests { requests: num_prompts.into() })?;

        let mut generator = NumpyLegacy::new(SEED);
        let mut inputs = generator.integers(shortest(longest_input, range_ratio), longest_input, count);
        let outputs = generator.integers(shortest(osl, range_ratio), osl, count);
        for input in &mut inputs {
            *input += template_k;
        }
        Ok(Self { inputs, outputs })
    }

    /// Draws the list of a point that is to be replayed.
    ///
    /// # Errors
    /// When its workload describes no list, or one of more than [`MAX_REQUESTS`].
    pub fn of_point(point: &PointRequest) -> Result<Self, WorkloadError> {
        Self::draw(&ClientParameters::of_point(point)?)
    }

    /// Input lengths in tokens, as sent.
    #[must_use]
    pub fn inputs(&self) -> &[u32] {
        &self.inputs
    }

    /// Output lengths in tokens; the server generates exactly as many.
    #[must_use]
    pub fn outputs(&self) -> &[u32] {
        &self.outputs
    }

    /// Input and output length of each request.
    #[must_use]
    pub fn requests(&self) -> impl ExactSizeIterator<Item = (u32, u32)> + '_ {
        self.inputs.iter().copied().zip(self.outputs.iter().copied())
    }

    /// Number of requests.
    #[must_use]
    pub fn len(&self) -> usize {
        self.inputs.len()
    }

    /// Whether there are no requests, which [`draw`](Self::draw) never returns.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Sum of the input lengths, in tokens.
    #[must_use]
    pub fn total_input_tokens(&self) -> u64 {
        self.inputs.iter().copied().map(u64::from).sum()
    }

    /// Sum of the output lengths, in tokens.
    #[must_use]
    pub fn total_output_tokens(&self) -> u64 {
        self.outputs.iter().copied().map(u64::from).sum()
    }
}

/// ⌊L·ratio⌋ as the client computes it: a double product, cut off.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the product lies between 0 and `longest`, and cutting off is the rule"
)]
fn shortest(longest: u32, range_ratio: f64) -> u32 {
    (f64::from(longest) * range_ratio) as u32
}

/// Why parameters describe no request list.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum WorkloadError {
    /// A nominal length is 0.
    #[error("the {which} length is 0, it must be at least 1 token")]
    ZeroLength {
        /// `input` or `output`.
        which: &'static str,
    },
    /// The template leaves no room for a prompt.
    #[error("the chat template has {template_k} tokens, which leaves nothing of the input length {isl}")]
    TemplateTooLong {
        /// Tokens of the chat template.
        template_k: u32,
        /// Nominal input length, in tokens.
        isl: u32,
    },
    /// The ratio is no share.
    #[error("the ratio is {ratio}, it must be a number from 0 to 1")]
    RatioOutOfRange {
        /// The refused ratio.
        ratio: f64,
    },
    /// The list would be empty.
    #[error("the list would have no requests, ask for at least one")]
    NoRequests,
    /// The list would be absurdly long.
    #[error("the list would have {requests} requests, at most {MAX_REQUESTS} are drawn")]
    TooManyRequests {
        /// The number asked for.
        requests: u64,
    },
}

impl Failure for WorkloadError {
    fn exit_code(&self) -> ExitCode {
        ExitCode::Usage
    }
}
