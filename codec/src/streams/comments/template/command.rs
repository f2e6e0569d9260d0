//! Commands in comments, such as `[%clk 0:03:00]`.

/// True if the argument of a command is a time.
pub(super) fn is_clock(command: &[u8]) -> bool {
    matches!(command, b"clk" | b"emt" | b"egt" | b"mct")
}

/// The bytes before the first comma.
pub(super) fn first_field(argument: &[u8]) -> &[u8] {
    argument.split(|&byte| byte == b',').next().unwrap_or(argument)
}

/// The commands in a comment: name and argument of each `[%name argument]`.
pub(super) fn commands(comment: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = comment;
    std::iter::from_fn(move || {
        let [_, name, argument, behind] = next_command(rest)?;
        rest = behind;
        Some((name, argument))
    })
}

/// Splits at the first command: what stands before, its name, its argument and what stands behind.
pub(super) fn next_command(text: &[u8]) -> Option<[&[u8]; 4]> {
    let start = text.windows(2).position(|pair| pair == b"[%")?;
    let inside = &text[start + 2..];
    let end = inside.iter().position(|&byte| byte == b']')?;
    let space = inside[..end].iter().position(|&byte| byte == b' ')?;
    Some([&text[..start], &inside[..space], &inside[space + 1..end], &inside[end + 1..]])
}
