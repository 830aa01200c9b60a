//! What holds for all parameters, and which ones are refused.

use proptest::prelude::*;
use scorer::workload::{ClientParameters, MAX_REQUESTS, RequestList, WorkloadError};

#[test]
fn a_ratio_of_one_gives_constant_lengths() {
    let ordinary = ClientParameters::ordinary(1024, 512, 4).unwrap();
    let list = RequestList::draw(&ClientParameters { range_ratio: 1.0, ..ordinary }).unwrap();
    assert_eq!(list.inputs(), [1024; 40]);
    assert_eq!(list.outputs(), [512; 40]);
}

#[test]
fn parameters_that_describe_no_list_are_refused() {
    let good = ClientParameters::ordinary(1024, 1024, 4).unwrap();
    let refused = |parameters| RequestList::draw(&parameters).unwrap_err();
    assert_eq!(refused(ClientParameters { isl: 0, ..good }), WorkloadError::ZeroLength { which: "input" });
    assert_eq!(refused(ClientParameters { osl: 0, ..good }), WorkloadError::ZeroLength { which: "output" });
    for template_k in [1024, 1025, u32::MAX] {
        let error = refused(ClientParameters { template_k, ..good });
        assert_eq!(error, WorkloadError::TemplateTooLong { template_k, isl: 1024 });
    }
    for range_ratio in [-f64::MIN_POSITIVE, 1.0 + f64::EPSILON, f64::INFINITY, f64::NAN] {
        let error = refused(ClientParameters { range_ratio, ..good });
        assert!(matches!(error, WorkloadError::RatioOutOfRange { .. }), "{range_ratio}: {error}");
    }
    assert_eq!(refused(ClientParameters { num_prompts: 0, ..good }), WorkloadError::NoRequests);
    let requests = u64::from(MAX_REQUESTS) + 1;
    let too_many = ClientParameters { num_prompts: MAX_REQUESTS + 1, ..good };
    assert_eq!(refused(too_many), WorkloadError::TooManyRequests { requests });
}

fn any_parameters() -> impl Strategy<Value = ClientParameters> {
    let length = || prop_oneof![0_u32..10_000, any::<u32>()];
    let ratio = prop_oneof![0.0..=1.0, any::<f64>()];
    let num_prompts = prop_oneof![8 => 0_u32..2_000, 1 => (MAX_REQUESTS + 1)..=u32::MAX];
    let template_k = prop_oneof![0_u32..100, any::<u32>()];
    (length(), length(), ratio, num_prompts, template_k).prop_map(
        |(isl, osl, range_ratio, num_prompts, template_k)| ClientParameters {
            isl,
            osl,
            range_ratio,
            num_prompts,
            template_k,
        },
    )
}

fn drawable_parameters() -> impl Strategy<Value = ClientParameters> {
    (1_u32..100_000, 1_u32..100_000, 0.0..=1.0, 1_u32..2_000, 0_u32..50).prop_map(
        |(isl, osl, range_ratio, num_prompts, template_k)| ClientParameters {
            isl: isl + template_k,
            osl,
            range_ratio,
            num_prompts,
            template_k,
        },
    )
}

proptest! {
    #[test]
    fn any_parameters_give_a_list_or_an_error(parameters in any_parameters()) {
        if let Ok(list) = RequestList::draw(&parameters) {
            prop_assert_eq!(u32::try_from(list.len()), Ok(parameters.num_prompts));
        }
    }

    #[test]
    fn every_length_is_in_its_range(parameters in drawable_parameters()) {
        let ClientParameters { isl, osl, range_ratio, template_k, .. } = parameters;
        let list = RequestList::draw(&parameters).unwrap();
        prop_assert_eq!(list.outputs().len(), list.inputs().len());
        for (input, output) in list.requests() {
            let drawn = input.checked_sub(template_k).unwrap();
            prop_assert!(input <= isl && f64::from(drawn + 1) > f64::from(isl - template_k) * range_ratio);
            prop_assert!(output <= osl && f64::from(output + 1) > f64::from(osl) * range_ratio);
        }
    }

    #[test]
    fn inputs_are_a_prefix_of_a_longer_lists(
        parameters in drawable_parameters(),
        more in 0_u32..2_000,
    ) {
        let num_prompts = parameters.num_prompts + more;
        let short = RequestList::draw(&parameters).unwrap();
        let long = RequestList::draw(&ClientParameters { num_prompts, ..parameters }).unwrap();
        prop_assert!(long.inputs().starts_with(short.inputs()));
    }

    #[test]
    fn a_template_shifts_the_inputs_of_the_shorter_draw(parameters in drawable_parameters()) {
        let ClientParameters { isl, template_k, .. } = parameters;
        let bare = ClientParameters { isl: isl - template_k, template_k: 0, ..parameters };
        let (sent, drawn) =
            (RequestList::draw(&parameters).unwrap(), RequestList::draw(&bare).unwrap());
        prop_assert!(
            sent.inputs().iter().zip(drawn.inputs()).all(|(sent, drawn)| *sent == drawn + template_k)
        );
        prop_assert_eq!(sent.outputs(), drawn.outputs());
    }
}
