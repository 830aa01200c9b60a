//! Which view is shown.

/// A view of the explorer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Two runs.
    Compare,
    /// Every sweep.
    Sweeps,
    /// From rows read to points scored.
    Coverage,
    /// All estimators on the same points.
    Estimators,
    /// The history.
    Time,
    /// What the words mean.
    Method,
}

impl View {
    /// Every view, in the order of the navigation.
    pub const ALL: [Self; 6] =
        [Self::Compare, Self::Sweeps, Self::Coverage, Self::Estimators, Self::Time, Self::Method];

    /// As it stands in the address.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Compare => "compare",
            Self::Sweeps => "sweeps",
            Self::Coverage => "coverage",
            Self::Estimators => "estimators",
            Self::Time => "time",
            Self::Method => "method",
        }
    }

    /// The view of that key.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|view| view.key() == key)
    }

    /// The heading.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Compare => "What changed from A to B?",
            Self::Sweeps => "Sweeps and points",
            Self::Coverage => "What became of every point?",
            Self::Estimators => "Which estimator is nearest?",
            Self::Time => "How did accuracy develop?",
            Self::Method => "How are these figures made?",
        }
    }

    /// What it is about.
    #[must_use]
    pub fn question(self) -> &'static str {
        match self {
            Self::Compare => "Which errors rose or fell beyond noise, why, and at which points.",
            Self::Sweeps => "Every sweep with its points: measured, predicted, and how far off.",
            Self::Coverage => "From rows read to points scored, each loss with its reason and its points.",
            Self::Estimators => {
                "All estimators of the run on the same points, with wins and skill over the roofline."
            }
            Self::Time => "The figures of this simulator from run to run, and whether the site is fresh.",
            Self::Method => {
                "What the words mean, by which thresholds this run was scored, and where to read more."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_has_a_link_in_the_page_and_is_loaded_by_its_script() {
        let (page, script) = (include_str!("../../../index.html"), include_str!("../../boot.js"));
        for view in View::ALL {
            assert_eq!(View::from_key(view.key()), Some(view));
            assert!(page.contains(&format!("href=\"?view={0}\" data-view=\"{0}\"", view.key())), "{view:?}");
            assert!(script.contains(&format!("\"{}\"", view.key())), "{view:?}");
        }
        assert_eq!(View::from_key("overview"), None);
    }
}
