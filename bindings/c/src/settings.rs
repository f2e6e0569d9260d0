//! Setting options.

use std::ffi::{c_char, c_int};
use std::mem::MaybeUninit;
use std::sync::Arc;

use plyzip::{Error, Level, ModelStore, Result};

use crate::boundary::{null, text};
use crate::error::call;
use crate::limit::limit;
use crate::work::Work;
use crate::{plyzip_error, plyzip_options, plyzip_status};

fn given(options: Option<&mut plyzip_options>) -> Result<&mut plyzip_options> {
    options.ok_or_else(|| null("options"))
}

/// Opens the model that archives and single games are coded with: "none", "standard" (the default), the name of one
/// that `plyzip models` lists, or the path of its file, as UTF-8. Reading an archive takes it only if the archive's
/// model is not among those at hand. After an error the model is the one of before.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_options_set_model(
    options: Option<&mut plyzip_options>,
    name_or_path: *const c_char,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        let options = given(options)?;
        let name = text(name_or_path, "name_or_path")?.to_str();
        let name = name.map_err(|_| Error::Usage("the model's name is no UTF-8".into()))?;
        options.model = Some((ModelStore::of_system().open(name)?, name.to_owned()));
        Ok(())
    })
}

/// Opens the model of a level, 1 (the fastest) to 9 (the densest); 6 is the default. Level 9 needs the file of the model
/// "max". After an error the model is the one of before.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_options_set_level(
    options: Option<&mut plyzip_options>,
    level: u32,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        let options = given(options)?;
        let level = u8::try_from(level).ok().and_then(Level::new);
        let level = level.ok_or_else(|| Error::Usage("a level is a number from 1 to 9".into()))?;
        let name = level.model();
        options.model = Some((ModelStore::of_system().open(name)?, name.to_owned()));
        Ok(())
    })
}

/// Sets how many threads do the work; 0, the default, is as many as there are cores, and these are the most. No result
/// depends on it.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_options_set_threads(
    options: Option<&mut plyzip_options>,
    threads: usize,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        let options = given(options)?;
        options.work = Arc::new(Work::on(threads, options.work.interrupt.clone()));
        Ok(())
    })
}

/// Sets what an archive that is read may ask for, of one kind, a plyzip_limit. UINT64_MAX is no limit.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_options_set_limit(
    options: Option<&mut plyzip_options>,
    kind: u32,
    most: u64,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        let options = given(options)?;
        *limit(&mut options.limits, kind)? = most;
        options.original_is_limited |= kind == crate::plyzip_limit::PLYZIP_LIMIT_ORIGINAL as u32;
        Ok(())
    })
}

/// Sets how many games a block of a new archive has, 1 to 2^20; the default is 20,000. More are denser, fewer are
/// quicker to reach into. What is out of range is an error when an archive is made.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_options_set_block_games(
    options: Option<&mut plyzip_options>,
    games: u64,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        given(options)?.writer.block_games = games;
        Ok(())
    })
}

/// Sets how many games a page of a new archive has, at least 1: what is decoded to reach one game. The default is 128
/// with a network, and 384 with none.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_options_set_page_games(
    options: Option<&mut plyzip_options>,
    games: u64,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        given(options)?.writer.page_games = Some(games);
        Ok(())
    })
}

/// Sets whether each block is decoded again and compared before it is written: 1, the default, or 0, in half the time.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_options_set_verify(
    options: Option<&mut plyzip_options>,
    verify: c_int,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        given(options)?.writer.verify = verify != 0;
        Ok(())
    })
}

/// Sets whether a new archive holds its model's file, and can be read without it: 1, or 0, the default.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_options_set_embed_model(
    options: Option<&mut plyzip_options>,
    embed_model: c_int,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        given(options)?.embed_model = embed_model != 0;
        Ok(())
    })
}

/// Sets whether a file may be replaced that exists: 1, or 0, the default.
#[unsafe(no_mangle)]
pub extern "C" fn plyzip_options_set_overwrite(
    options: Option<&mut plyzip_options>,
    overwrite: c_int,
    error: Option<&mut MaybeUninit<Option<Box<plyzip_error>>>>,
) -> plyzip_status {
    call(error, || {
        given(options)?.overwrite = overwrite != 0;
        Ok(())
    })
}
