//! plyzip's reader of model files and its network, held against tract.

#![cfg(test)]

mod files;
mod scores;
