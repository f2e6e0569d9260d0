//! The file of a network: an ONNX file, of which the tensors are read by their names.
//!
//! Its graph, which an ONNX runtime can run, computes the same numbers and is not looked at.

use std::collections::HashMap;

use super::rounding::EXPONENTS;
use crate::network::onnx::{self, ModelProto, TensorProto};
use crate::{Error, Result};

/// Largest file, in bytes.
pub const MAX_FILE: usize = 64 << 20;

/// The version of the tensors and of the arithmetic that they are for.
pub const FORMAT_VERSION: u32 = 2;

/// The version of what a network is shown of a position.
pub const VIEW_VERSION: u32 = 1;

/// Types of tensors, by their numbers in ONNX.
pub mod kind {
    /// `u8`
    pub const U8: i32 = 2;
    /// `i8`
    pub const I8: i32 = 3;
    /// `i16`
    pub const I16: i32 = 5;
    /// `i32`
    pub const I32: i32 = 6;
    /// `f64`
    pub const F64: i32 = 11;
}

/// The tensors of a file.
#[derive(Debug)]
pub struct Tensors {
    by_name: HashMap<String, TensorProto>,
}

/// A matrix of the file, with units and biases.
#[derive(Debug)]
pub struct Linear {
    pub name: String,
    pub inputs: usize,
    pub outputs: usize,
    /// Input by input, from -127 to 127.
    pub weights: Vec<i8>,
    /// The exponent of each output's unit.
    pub units: Vec<i32>,
    /// In the unit of each output times that of the inputs.
    pub bias: Vec<i32>,
}

/// A refusal of the file.
pub fn refuse(why: impl Into<String>) -> Error {
    Error::Model(why.into())
}

impl Tensors {
    /// The tensors in a file's bytes.
    ///
    /// # Errors
    /// [`Error::Limit`] if the file is larger than [`MAX_FILE`]; [`Error::Model`] if it is not one of a board network, or
    /// of another version.
    pub fn read(bytes: &[u8]) -> Result<Tensors> {
        if bytes.len() > MAX_FILE {
            let size = bytes.len();
            return Err(Error::Limit(format!(
                "a network of {size} bytes; the most are {MAX_FILE}"
            )));
        }
        let proto = onnx::decode(bytes)?;
        version(&proto, "plyzip.board", FORMAT_VERSION)?;
        version(&proto, "plyzip.view", VIEW_VERSION)?;
        let mut by_name = HashMap::new();
        for tensor in proto.graph.unwrap_or_default().initializer {
            let name = tensor.name.clone();
            if by_name.insert(name.clone(), tensor).is_some() {
                return Err(refuse(format!("there are two tensors `{name}`")));
            }
        }
        Ok(Tensors { by_name })
    }

    /// Whether there is a tensor of this name.
    pub fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// The sizes of a tensor.
    ///
    /// # Errors
    /// [`Error::Model`] if there is none of this name, or if it has no sizes.
    pub fn shape(&self, name: &str) -> Result<Vec<usize>> {
        let tensor = self.tensor(name)?;
        let sizes = tensor.dims.iter().map(|&size| usize::try_from(size).ok());
        sizes.collect::<Option<_>>().ok_or_else(|| refuse(format!("`{name}` has a size below 0")))
    }

    fn tensor(&self, name: &str) -> Result<&TensorProto> {
        self.by_name.get(name).ok_or_else(|| refuse(format!("there is no tensor `{name}`")))
    }

    /// The bytes of a tensor of numbers of `SIZE` bytes. Sizes of 1 do not matter.
    fn numbers<const SIZE: usize>(
        &self,
        name: &str,
        kind: i32,
        sizes: &[usize],
    ) -> Result<&[[u8; SIZE]]> {
        let tensor = self.tensor(name)?;
        let shape = self.shape(name)?;
        let plain = |sizes: &[usize]| -> Vec<usize> {
            sizes.iter().copied().filter(|&size| size != 1).collect()
        };
        if tensor.data_type != kind {
            return Err(refuse(format!("`{name}` is of another type")));
        }
        if plain(&shape) != plain(sizes) {
            return Err(refuse(format!("`{name}` is of shape {shape:?} instead of {sizes:?}")));
        }
        let (numbers, rest) = tensor.raw_data.as_chunks::<SIZE>();
        let count = sizes.iter().try_fold(1usize, |count, &size| count.checked_mul(size));
        if !rest.is_empty() || Some(numbers.len()) != count {
            return Err(refuse(format!("`{name}` has not as many numbers as its shape says")));
        }
        Ok(numbers)
    }

    /// A tensor of `i8`, from -127 on.
    ///
    /// # Errors
    /// [`Error::Model`] if it is not there, or has another type or shape. The same goes for the methods below.
    pub fn i8(&self, name: &str, sizes: &[usize]) -> Result<Vec<i8>> {
        let numbers = self.numbers::<1>(name, kind::I8, sizes)?;
        let numbers: Vec<i8> = numbers.iter().map(|&number| i8::from_le_bytes(number)).collect();
        if numbers.contains(&i8::MIN) {
            return Err(refuse(format!("`{name}` has a weight of -128")));
        }
        Ok(numbers)
    }

    /// A tensor of `i16`.
    pub fn i16(&self, name: &str, sizes: &[usize]) -> Result<Vec<i16>> {
        let numbers = self.numbers(name, kind::I16, sizes)?;
        Ok(numbers.iter().map(|&number| i16::from_le_bytes(number)).collect())
    }

    /// A tensor of `i32`, none larger than `most` in either direction.
    pub fn i32(&self, name: &str, sizes: &[usize], most: i32) -> Result<Vec<i32>> {
        let numbers = self.numbers(name, kind::I32, sizes)?;
        let numbers: Vec<i32> = numbers.iter().map(|&number| i32::from_le_bytes(number)).collect();
        if numbers.iter().any(|number| number.unsigned_abs() > most as u32) {
            return Err(refuse(format!("`{name}` has a number beyond {most}")));
        }
        Ok(numbers)
    }

    /// A vector of bytes of any length up to `most`.
    pub fn bytes(&self, name: &str, most: usize) -> Result<Vec<u8>> {
        let shape = self.shape(name)?;
        let &[count] = &shape[..] else { return Err(refuse(format!("`{name}` is no vector"))) };
        if count > most {
            return Err(refuse(format!("`{name}` has more than {most} numbers")));
        }
        Ok(self.numbers::<1>(name, kind::U8, &[count])?.as_flattened().to_vec())
    }

    /// The exponents of a tensor of `f64` that are powers of two, [`EXPONENTS`].
    pub fn units(&self, name: &str, count: usize) -> Result<Vec<i32>> {
        let numbers = self.numbers(name, kind::F64, &[count])?;
        let exponent = |number: &[u8; 8]| {
            let bits = u64::from_le_bytes(*number);
            let exponent = (bits >> 52) as i32 - 1023;
            (bits << 12 == 0 && EXPONENTS.contains(&exponent)).then_some(exponent)
        };
        let units = numbers.iter().map(exponent).collect::<Option<_>>();
        units.ok_or_else(|| {
            let (least, most) = (EXPONENTS.start(), EXPONENTS.end());
            refuse(format!(
                "`{name}` has a unit that is no power of two from 2^{least} to 2^{most}"
            ))
        })
    }

    /// A unit for all.
    pub fn unit(&self, name: &str) -> Result<i32> {
        Ok(self.units(name, 1)?[0])
    }

    /// A matrix, with its units and biases.
    pub fn linear(&self, name: &str, inputs: usize, outputs: usize) -> Result<Linear> {
        Ok(Linear {
            name: name.into(),
            inputs,
            outputs,
            weights: self.i8(name, &[inputs, outputs])?,
            units: self.units(&format!("{name}_unit"), outputs)?,
            bias: self.i32(&format!("{name}_bias"), &[outputs], MOST_BIAS)?,
        })
    }
}

/// The largest bias of a matrix.
pub const MOST_BIAS: i32 = 1 << 26;

fn version(proto: &ModelProto, key: &str, expected: u32) -> Result<()> {
    let entry = proto.metadata_props.iter().find(|entry| entry.key == key);
    let entry = entry.ok_or_else(|| refuse(format!("no board network: there is no `{key}`")))?;
    if entry.value != expected.to_string() {
        let why = format!("`{key}` is {:?}; this program reads version {expected}", entry.value);
        return Err(refuse(why));
    }
    Ok(())
}
