//! Who is answered: the page itself, and a person who types its address.
//!
//! A name that another site has pointed at this machine (DNS rebinding) is not ours, and a request that another site's page
//! makes tells so in its headers.

use std::net::{IpAddr, SocketAddr};

/// The names that this server has.
pub(super) struct Guard {
    host: String,
    address: SocketAddr,
}

impl Guard {
    pub(super) fn new(host: &str, address: SocketAddr) -> Guard {
        Guard { host: host.to_ascii_lowercase(), address }
    }

    /// The page's address, for people.
    pub(super) fn url(&self) -> String {
        let port = self.address.port();
        let host = match self.address.ip() {
            // Every interface, of which a person here has the local one.
            ip if ip.is_unspecified() => "127.0.0.1".into(),
            IpAddr::V6(ip) => format!("[{ip}]"),
            IpAddr::V4(ip) => ip.to_string(),
        };
        format!("http://{host}:{port}/")
    }

    /// Whether a request with these headers is answered, or else why not.
    pub(super) fn admits<'a>(&self, header: impl Fn(&str) -> Option<&'a str>) -> Result<(), &'static str> {
        let host = header("host").filter(|host| self.is_own(host));
        let host = host.ok_or("This server answers under its own address only.")?;
        let same =
            |origin: &str| origin.strip_prefix("http://").is_some_and(|rest| rest.eq_ignore_ascii_case(host));
        let is_foreign = header("origin").is_some_and(|origin| !same(origin));
        // Whoever follows a link from elsewhere comes to look, and nobody else reads the answer.
        let comes = header("sec-fetch-mode") == Some("navigate");
        let is_lent = matches!(header("sec-fetch-site"), Some("cross-site" | "same-site")) && !comes;
        if is_foreign || is_lent { Err("This server answers its own page only.") } else { Ok(()) }
    }

    /// Whether a `Host` header names this server: by an address, which nobody else can give it, or by a name that it was
    /// told to have.
    fn is_own(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        if port != Some(self.address.port()) {
            return false;
        }
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        if let Ok(ip) = bare.parse::<IpAddr>() {
            return self.address.ip().is_unspecified() || ip == self.address.ip() || ip.is_loopback();
        }
        let name = name.to_ascii_lowercase();
        name == "localhost" || name == self.host
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(host: &str, address: &str) -> Guard {
        Guard::new(host, address.parse().unwrap())
    }

    fn admits(guard: &Guard, headers: &[(&str, &'static str)]) -> bool {
        guard.admits(|name| headers.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)).is_ok()
    }

    #[test]
    fn only_its_own_names_are_answered() {
        let local = guard("127.0.0.1", "127.0.0.1:7070");
        for host in ["127.0.0.1:7070", "localhost:7070", "LocalHost:7070", "[::1]:7070"] {
            assert!(local.is_own(host), "{host}");
        }
        for host in [
            "127.0.0.1",
            "127.0.0.1:7071",
            "evil.example:7070",
            "localhost.evil.example:7070",
            "10.0.0.7:7070",
            "",
            ":7070",
            "[::1]",
        ] {
            assert!(!local.is_own(host), "{host}");
        }
        let everywhere = guard("0.0.0.0", "0.0.0.0:80");
        assert!(everywhere.is_own("10.0.0.7") && everywhere.is_own("[fe80::1]"));
        assert!(!everywhere.is_own("evil.example"));
        assert!(guard("lab-7", "10.0.0.7:7070").is_own("Lab-7:7070"));
        assert_eq!(everywhere.url(), "http://127.0.0.1:80/");
        assert_eq!(guard("::1", "[::1]:7070").url(), "http://[::1]:7070/");
    }

    #[test]
    fn other_sites_are_refused() {
        let local = guard("127.0.0.1", "127.0.0.1:7070");
        let host = ("host", "localhost:7070");
        assert!(admits(&local, &[host]));
        assert!(admits(
            &local,
            &[host, ("origin", "http://localhost:7070"), ("sec-fetch-site", "same-origin")]
        ));
        assert!(admits(&local, &[host, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")]));
        assert!(!admits(&local, &[]));
        for origin in ["http://localhost:7071", "https://localhost:7070", "null", "http://evil.example"] {
            assert!(!admits(&local, &[host, ("origin", origin)]), "{origin}");
        }
        for site in ["cross-site", "same-site"] {
            assert!(
                !admits(&local, &[host, ("sec-fetch-site", site), ("sec-fetch-mode", "no-cors")]),
                "{site}"
            );
        }
    }
}
