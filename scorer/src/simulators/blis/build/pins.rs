//! The releases of catalog and registry that go with a build, as its installation page says.

/// Where the page is in the sources.
pub const PAGE: &str = "docs/getting-started/installation.md";

/// The releases, as far as the page names them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pins {
    /// Of the catalog.
    pub catalog: Option<String>,
    /// Of the registry.
    pub registry: Option<String>,
}

impl Pins {
    /// Reads the page.
    #[must_use]
    pub fn of_page(page: &str) -> Self {
        Self { catalog: pin(page, "blis-catalog"), registry: pin(page, "blis-registry") }
    }
}

/// The release that stands in backticks behind `Compatible blis-catalog release:`, else the branch that the page clones.
fn pin(page: &str, repository: &str) -> Option<String> {
    let stated = format!("Compatible {repository} release:");
    let stated = page.lines().filter_map(|line| line.split_once(&stated)).find_map(|(_, rest)| {
        let (_, quoted) = rest.split_once('`')?;
        tag(quoted.split_once('`')?.0)
    });
    stated.or_else(|| {
        page.lines().filter(|line| line.contains("git clone") && line.contains(repository)).find_map(|line| {
            let (_, branch) = line.split_once("--branch")?;
            tag(branch.split_whitespace().next()?)
        })
    })
}

fn tag(text: &str) -> Option<String> {
    let valid = (1..=60).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-+".contains(&byte));
    valid.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_states_the_catalog_and_clones_the_registry() {
        let page = "# Installation\n\n**Compatible blis-catalog release: `0.2.1`**\n\n```bash\n\
                    git clone --branch v0.1.1 --depth 1 https://host.invalid/blis-registry.git\n```\n";
        let expected = Pins { catalog: Some("0.2.1".to_owned()), registry: Some("v0.1.1".to_owned()) };
        assert_eq!(Pins::of_page(page), expected);
    }

    #[test]
    fn a_page_without_pins_or_with_strange_ones_names_nothing() {
        for page in [
            "",
            "git clone https://host.invalid/blis-registry.git",
            "Compatible blis-catalog release: `$(reboot)`",
            "Compatible blis-catalog release: soon",
        ] {
            assert_eq!(Pins::of_page(page), Pins::default(), "{page}");
        }
    }
}
