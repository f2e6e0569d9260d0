#![forbid(unsafe_code)]
//! The models that are built into plyzip, as the bytes of their ONNX files. It is a package of its own, since a new
//! model needs no new codec, and who does without one need not fetch it.

/// Name and file of each model that a feature asks for, `standard` or `max`; their manifests stand beside them.
pub static FILES: &[(&str, &[u8])] = &[
    #[cfg(feature = "standard")]
    ("standard", include_bytes!("standard.onnx")),
    #[cfg(feature = "max")]
    ("max", include_bytes!("max.onnx")),
];
