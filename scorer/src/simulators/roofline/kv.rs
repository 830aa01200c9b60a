//! The KV cache: how many bytes a sequence holds, in whole blocks, and how many there are.

/// The KV cache of one rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KvPool {
    /// Bytes that sequences can hold together.
    pub capacity_bytes: u64,
    /// Tokens per block.
    pub block_size: u32,
    /// Bytes of a block in all layers that keep the whole sequence.
    pub block_bytes: u64,
    /// Layers that keep only a window.
    pub windows: Vec<KvWindow>,
}

/// Layers that keep only the latest blocks of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KvWindow {
    /// The most blocks that a sequence keeps.
    pub blocks: u64,
    /// Bytes of a block in all these layers.
    pub block_bytes: u64,
}

impl KvPool {
    /// Bytes that a sequence of some tokens holds.
    #[must_use]
    pub fn held_bytes(&self, tokens: u32) -> u64 {
        let blocks = u64::from(tokens.div_ceil(self.block_size));
        let windows =
            self.windows.iter().map(|window| blocks.min(window.blocks).saturating_mul(window.block_bytes));
        windows.fold(blocks.saturating_mul(self.block_bytes), u64::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_hold_whole_blocks_and_windows_stop_growing() {
        let window = KvWindow { blocks: 9, block_bytes: 10 };
        let pool = KvPool { capacity_bytes: 0, block_size: 16, block_bytes: 100, windows: vec![window] };
        assert_eq!(pool.held_bytes(0), 0);
        assert_eq!(pool.held_bytes(1), 110);
        assert_eq!(pool.held_bytes(16), 110);
        assert_eq!(pool.held_bytes(17), 220);
        assert_eq!(pool.held_bytes(1600), 100 * 100 + 9 * 10);
    }
}
