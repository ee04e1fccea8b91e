//! `orbitscope serve`: the page on a port of this machine, which follows a file.
//!
//! The server answers its own page and nobody else: it listens on the local interface unless told otherwise, and refuses
//! requests that other sites make in the name of a browser's user (`guard`).

mod content_type;
mod follow;
mod guard;
mod http;
mod site;

use crate::args::ServeArgs;
use crate::failure::{Failure, Status};
use crate::interrupt;
use crate::model::Source;
use crate::output::Output;
use follow::Follower;
use guard::Guard;
use http::Request;
use site::Site;
use std::io::{self, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _};
use std::thread;
use std::time::Duration;

/// How often the server looks whether it shall end.
const LOOK: Duration = Duration::from_millis(200);

/// Serves until Ctrl-C.
pub(super) fn serve(args: &ServeArgs) -> Result<Status, Failure> {
    if args.file.as_deref() == Some("-") {
        return Err(wrong("standard input cannot be followed: name a file"));
    }
    // A file that is not there would be followed for ever in silence.
    if let Some(file) = &args.file {
        Source::read(file)?;
    }
    let site = Site::load(args.site.as_deref(), args.file.as_deref())?;
    let listener = listen(&args.host, args.port)?;
    let address = listener.local_addr()?;
    let guard = Guard::new(&args.host, address);
    interrupt::listen();
    let follower = args.file.as_deref().map(Follower::start);
    let mut output = Output::new();
    writeln!(output, "The page is at {}", guard.url())?;
    if let Some(file) = &args.file {
        writeln!(output, "It follows {file}; Ctrl-C ends this.")?;
    }
    output.flush()?;
    http::accept(listener, guard, move |request, stream| answer(request, stream, &site, follower.as_deref()));
    while !interrupt::requested() {
        thread::sleep(LOOK);
    }
    Ok(Status::Good)
}

fn wrong(words: &str) -> Failure {
    Failure::Input(format!("orbitscope: {words}"))
}

/// Takes the port, or says how to get another.
fn listen(host: &str, port: u16) -> Result<TcpListener, Failure> {
    let found = (host, port).to_socket_addrs();
    let found =
        found.map_err(|_| wrong(&format!("there is no machine `{host}`: give an address of this one")))?;
    let addresses: Vec<SocketAddr> = found.collect();
    TcpListener::bind(addresses.as_slice()).map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => wrong(&format!(
            "port {port} is in use: stop the program that uses it, or let `--port 0` find a free one"
        )),
        std::io::ErrorKind::AddrNotAvailable => wrong(&format!("`{host}` is no address of this machine")),
        std::io::ErrorKind::PermissionDenied => {
            wrong(&format!("port {port} is not for everybody: take one above 1023"))
        }
        _ => wrong(&format!("port {port} of {host} cannot be used: {error}")),
    })
}

fn answer(request: &Request, stream: &TcpStream, site: &Site, follower: Option<&Follower>) -> io::Result<()> {
    let name = request.name().unwrap_or_default();
    match (name, follower) {
        ("follow", Some(follower)) if request.is_get() => follower.tell(stream),
        _ => match site.get(name) {
            Some(body) => {
                http::answer(stream, "200 OK", content_type::content_type(name), body, request.is_get())
            }
            None => http::refuse(stream, "404 Not Found", "There is no such file."),
        },
    }
}
