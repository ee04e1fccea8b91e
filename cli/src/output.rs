//! Standard output and standard error.

use crate::colour;
use orbitscope_core::check::LineStyle;
use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write};

/// Standard output. Where the reader has gone away the rest is dropped, and the command still ends with its own status.
pub(crate) struct Output {
    writer: Option<BufWriter<StdoutLock<'static>>>,
}

impl Output {
    pub(crate) fn new() -> Output {
        Output { writer: Some(BufWriter::new(io::stdout().lock())) }
    }

    fn with<T: Default>(
        &mut self,
        write: impl FnOnce(&mut BufWriter<StdoutLock<'static>>) -> io::Result<T>,
    ) -> io::Result<T> {
        let Some(writer) = &mut self.writer else { return Ok(T::default()) };
        match write(writer) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                // The rest of the buffer has no reader either.
                let _ = self.writer.take().map(BufWriter::into_parts);
                Ok(T::default())
            }
            result => result,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(|writer| writer.write_all(bytes))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.with(Write::flush)
    }
}

/// Prints a message to standard error; where that is closed there is nobody to tell.
pub(crate) fn message(text: &str) {
    let _ = writeln!(io::stderr(), "{}", text.trim_end_matches('\n'));
}

/// How runs are written on standard output: a star behind a value that changed, and colour where a person looks at it.
pub(crate) fn line_style() -> LineStyle {
    if colour::on_output() {
        LineStyle { open: "\x1b[1;33m", close: "*\x1b[0m", ..PLAIN_LINES }
    } else {
        PLAIN_LINES
    }
}

/// Runs without colour.
pub(crate) const PLAIN_LINES: LineStyle = LineStyle { more: ", all with --json", ..LineStyle::PLAIN };
