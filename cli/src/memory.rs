//! How much memory a run may take: half of the machine's, and a quarter of what the process or its container is allowed.
//!
//! A table that grows needs its old place and its new one, twice as large, at the same time. Where the system refuses memory
//! or ends the process, a run therefore counts on a quarter of the limit only; what it does not count is measured on the way.

use std::fs;
use std::path::Path;

/// A run stops when the process itself takes more than this part of a hard limit, whatever was counted.
const TIGHT: f64 = 0.6;
/// Control groups without a limit report an absurdly large one.
const NO_LIMIT: u64 = 1 << 60;

/// The memory that the system has and allows; none where it does not tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Memory {
    machine: Option<u64>,
    /// The limit on the process's addresses, as `ulimit -v` sets it.
    addresses: Option<u64>,
    /// The limit of the control group on memory in use, as containers have it.
    resident: Option<u64>,
}

impl Memory {
    /// Asks the system.
    pub(crate) fn of_system() -> Memory {
        let read = |file: &str| fs::read_to_string(file).unwrap_or_default();
        Memory {
            machine: kibibytes(&read("/proc/meminfo"), "MemTotal:"),
            addresses: address_limit(&read("/proc/self/limits")),
            resident: group_limit(&read("/proc/self/cgroup"), Path::new("/sys/fs/cgroup")),
        }
    }

    /// The bytes that a run may count on.
    pub(crate) fn budget(&self) -> Option<u64> {
        let hard = [self.addresses, self.resident].into_iter().flatten().map(|bytes| bytes / 4);
        hard.chain(self.machine.map(|bytes| bytes / 2)).min()
    }

    /// Whether the process is near a limit at which it would be refused memory or ended.
    pub(crate) fn is_tight(&self) -> bool {
        if self.addresses.is_none() && self.resident.is_none() {
            return false;
        }
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let over = |limit: Option<u64>, name: &str| {
            let (Some(limit), Some(used)) = (limit, kibibytes(&status, name)) else { return false };
            used as f64 > limit as f64 * TIGHT
        };
        over(self.addresses, "VmSize:") || over(self.resident, "VmRSS:")
    }
}

/// The number behind a name in a file such as `/proc/meminfo`, in bytes.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}

/// The smaller of the limits on addresses and on data in `/proc/self/limits`.
fn address_limit(limits: &str) -> Option<u64> {
    let soft = |name: &str| {
        let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    [soft("Max address space"), soft("Max data size")].into_iter().flatten().min()
}

/// The smallest limit of the control group that the process is in, and of those around it.
fn group_limit(groups: &str, root: &Path) -> Option<u64> {
    let limits = groups.lines().filter_map(|line| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        if controllers.is_empty() {
            return smallest_above(root, path, "memory.max");
        }
        let memory = controllers.split(',').any(|controller| controller == "memory");
        let file = "memory.limit_in_bytes";
        memory.then(|| smallest_above(&root.join("memory"), path, file)).flatten()
    });
    limits.filter(|&bytes| bytes < NO_LIMIT).min()
}

/// A container may see its own group as the root: whatever of the path does not exist is passed over.
fn smallest_above(root: &Path, path: &str, file: &str) -> Option<u64> {
    let folders = Path::new(path.trim_start_matches('/')).ancestors();
    let texts = folders.filter_map(|folder| fs::read_to_string(root.join(folder).join(file)).ok());
    texts.filter_map(|text| text.trim().parse().ok()).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: &str = "\
Limit                     Soft Limit           Hard Limit           Units
Max data size             unlimited            unlimited            bytes
Max stack size            8388608              unlimited            bytes
Max address space         409600000            unlimited            bytes
";

    #[test]
    fn limits_are_read() {
        assert_eq!(address_limit(LIMITS), Some(409_600_000));
        let both = LIMITS.replace("Max data size             unlimited", "Max data size             1000");
        assert_eq!(address_limit(&both), Some(1000));
        assert_eq!(address_limit(&LIMITS.replace("409600000", "unlimited")), None);
        assert_eq!(kibibytes("MemFree: 1 kB\nMemTotal:       24 kB\n", "MemTotal:"), Some(24 * 1024));
        assert_eq!(kibibytes("MemTotal: many\n", "MemTotal:"), None);
    }

    #[test]
    fn the_smallest_limit_counts() {
        let gib = 1 << 30;
        let memory = |machine, addresses, resident| Memory { machine, addresses, resident };
        assert_eq!(memory(None, None, None).budget(), None);
        assert_eq!(memory(Some(8 * gib), None, None).budget(), Some(4 * gib));
        assert_eq!(memory(Some(8 * gib), Some(12 * gib), None).budget(), Some(3 * gib));
        assert_eq!(memory(Some(8 * gib), Some(12 * gib), Some(4 * gib)).budget(), Some(gib));
        assert!(!memory(Some(1), None, None).is_tight());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_process_is_measured() {
        assert!(Memory { addresses: Some(1 << 20), ..Memory::default() }.is_tight());
        assert!(Memory { resident: Some(4096), ..Memory::default() }.is_tight());
        assert!(!Memory { addresses: Some(1 << 50), ..Memory::default() }.is_tight());
    }

    #[test]
    fn groups_of_both_versions() {
        let root = std::env::temp_dir().join(format!("orbitscope-groups-{}", std::process::id()));
        let write = |file: &str, text: &str| {
            let file = root.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        write("memory.max", "max\n");
        write("outer/memory.max", "3000\n");
        write("outer/inner/memory.max", "5000\n");
        write("memory/memory.limit_in_bytes", "9223372036854771712\n");
        write("memory/job/memory.limit_in_bytes", "700\n");
        assert_eq!(group_limit("0::/outer/inner\n", &root), Some(3000));
        assert_eq!(group_limit("0::/\n", &root), None);
        assert_eq!(group_limit("5:cpu,memory:/job/gone\n0::/\n", &root), Some(700));
        assert_eq!(group_limit("5:cpu:/job\n", &root), None);
        fs::remove_dir_all(root).unwrap();
    }
}
