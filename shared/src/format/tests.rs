use proptest::prelude::*;

use super::*;

#[test]
fn percentages_have_one_decimal_and_signs_where_they_matter() {
    assert_eq!(percent(Some(15.97)), "16.0");
    assert_eq!(signed_percent(Some(1.24)), "+1.2");
    assert_eq!(signed_percent(Some(-3.84)), "-3.8");
    assert_eq!(percent(None), "–");
    assert_eq!(signed_percent(Some(f64::NAN)), "–");
    assert_eq!(percent(Some(f64::INFINITY)), "–");
    assert_eq!(percent(Some(123_456_789.0)), "123456789.0");
    assert_eq!(percent(Some(1e300)), "1.0e300");
}

#[test]
fn a_value_that_rounds_to_zero_has_no_sign() {
    for value in [0.0, -0.0, 0.04, -0.04, -1e-300] {
        assert_eq!(percent(Some(value)), "0.0", "{value}");
        assert_eq!(signed_percent(Some(value)), "0.0", "{value}");
        assert_eq!(points_with_arrow(Some(value)), "= 0.0", "{value}");
    }
    assert_eq!(signed_percent(Some(-0.06)), "-0.1");
    assert_eq!(signed_percent_2(Some(-0.004)), "0.00");
}

#[test]
fn a_tie_is_decided_by_the_exact_binary_value() {
    // 0.25 and 0.75 are exact ties and go to the even digit; 0.15 and 0.35 are not: their binary
    // values are 0.1499… and 0.3499…, while 0.45 is 0.4500…1.
    let texts: Vec<String> =
        [0.25, 0.75, 0.15, 0.35, 0.45].into_iter().map(|value| percent(Some(value))).collect();
    assert_eq!(texts, ["0.2", "0.8", "0.1", "0.3", "0.5"]);
}

#[test]
fn the_table_of_estimators_shows_absolute_and_signed() {
    assert_eq!(absolute_and_signed(Some(11.914), Some(7.351)), "11.91 (+7.35)");
    assert_eq!(absolute_and_signed(Some(45.07), Some(-19.25)), "45.07 (-19.25)");
    assert_eq!(absolute_and_signed(None, None), "--");
    assert_eq!(absolute_and_signed(Some(f64::NAN), Some(1.0)), "--");
}

#[test]
fn latencies_have_four_significant_digits() {
    for (value, text) in [
        (0.123_45, "0.1235"),
        (0.999_96, "1.000"),
        (4.19, "4.190"),
        (9.999_6, "10.00"),
        (55.634, "55.63"),
        (308.123, "308.1"),
        (999.96, "1,000"),
        (12_345.6, "12,346"),
        (1_234_567.8, "1,234,568"),
        (0.000_123_45, "1.234e-4"),
        (0.0, "0.0000"),
        (2e12, "2.000e12"),
    ] {
        assert_eq!(latency(value), text);
    }
}

#[test]
fn counts_have_their_thousands_separated() {
    assert_eq!([count(0), count(999), count(1000), count(1_234_567)], ["0", "999", "1,000", "1,234,567"]);
    assert_eq!(grouped("-123456"), "-123,456");
    assert_eq!(counted(1, "sweep"), "1 sweep");
    assert_eq!(counted(1200, "point"), "1,200 points");
}

#[test]
fn a_share_is_zero_or_whole_only_when_it_really_is() {
    let texts: Vec<String> =
        [0.0, 0.001, 0.634, 0.996, 1.0].into_iter().map(|value| share(Some(value))).collect();
    assert_eq!(texts, ["0 %", "<1 %", "63 %", ">99 %", "100 %"]);
}

#[test]
fn intervals_name_both_ends() {
    let ends = Some(Interval { low: -3.12, high: 4.46 });
    assert_eq!(interval(ends), "-3.1 to 4.5");
    assert_eq!(signed_interval(ends), "-3.1 to +4.5");
    assert_eq!(interval(None), "–");
}

#[test]
fn differences_have_sign_and_arrow() {
    assert_eq!(points_with_arrow(Some(1.24)), "▲ +1.2");
    assert_eq!(points_with_arrow(Some(-0.4)), "▼ -0.4");
    assert_eq!(points_with_arrow(None), "–");
    assert_eq!(ratio(Some(0.375)), "0.38");
}

#[test]
fn the_full_value_reads_back() {
    assert_eq!(full(Some(15.968_123_4)), "15.9681234");
    assert_eq!([full(Some(-0.0)), full(Some(1e300)), full(None)], ["0", "1e300", "–"]);
}

#[test]
fn sizes_have_decimal_units() {
    let texts: Vec<String> =
        [512, 7_900, 1_234_567, 999_950, 5_000_000_000_000].into_iter().map(bytes).collect();
    assert_eq!(texts, ["512 B", "7.9 kB", "1.2 MB", "1.0 MB", "5000.0 GB"]);
}

proptest! {
    #[test]
    fn no_number_panics_or_gives_minus_zero(bits in any::<u64>(), number in any::<u64>(), days in any::<i64>()) {
        let value = f64::from_bits(bits);
        let ends = Some(Interval { low: value, high: -value });
        for text in [
            percent(Some(value)), signed_percent(Some(value)), percent_2(Some(value)), points(Some(value)),
            points_with_arrow(Some(value)), absolute_and_signed(Some(value), Some(-value)), latency(value),
            share(Some(value)), ratio(Some(value)), interval(ends), signed_interval(ends), full(Some(value)),
            count(number), bytes(number), age(days),
        ] {
            prop_assert!(!text.is_empty() && text.len() < 40, "{}", text);
            prop_assert!(!text.ends_with("-0.0") && !text.ends_with("-0.00"), "{}", text);
            prop_assert!(!text.contains("NaN") && !text.contains("inf"), "{}", text);
        }
    }

    #[test]
    fn the_full_value_of_any_number_reads_back(value in any::<f64>()) {
        prop_assume!(value.is_finite());
        prop_assert_eq!(full(Some(value)).parse::<f64>().unwrap(), value);
    }

    #[test]
    fn any_text_is_taken_as_a_time(text in ".*", other in "[0-9]{4}-[0-9]{2}-[0-9]{2}.*") {
        let _ = (day(&text), day(&other), days_between(&text, &other), days_between(&other, &other));
    }

    #[test]
    fn a_wrong_sign_is_never_shown(value in -1e6..1e6_f64) {
        let text = signed_percent(Some(value));
        prop_assert!((text.parse::<f64>().unwrap() - value).abs() <= 0.05 + 1e-9);
    }
}
