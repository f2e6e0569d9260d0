//! Maps from what is in an archive.

use std::collections;

/// A map with a hash that takes a fraction of the time of the standard library's. Its seed is drawn anew for each map, so
/// that nobody can write an archive whose keys collide.
pub(in crate::streams) type HashMap<K, V> = collections::HashMap<K, V, foldhash::fast::RandomState>;
