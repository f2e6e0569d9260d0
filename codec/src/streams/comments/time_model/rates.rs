//! How fast the model of times learns.

/// How fast the weights learn, in units of 1/1024.
#[derive(Debug, Clone, Copy)]
pub struct Rates {
    /// Of the regression by bin.
    pub by_bin: i64,
    /// Of the regression by ratio.
    pub by_ratio: i64,
    /// Of the first layer of the mixer.
    pub mix: i64,
    /// Of its second layer.
    pub last: i64,
}

impl Rates {
    /// Those of the format.
    pub const CODING: Rates = Rates { by_bin: 12, by_ratio: 35, mix: 4, last: 2 };

    /// So many times faster.
    #[cfg(feature = "training")]
    pub fn times(self, times: i64) -> Rates {
        Rates {
            by_bin: self.by_bin * times,
            by_ratio: self.by_ratio * times,
            mix: self.mix * times,
            last: self.last * times,
        }
    }
}
