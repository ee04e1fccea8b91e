//! `index.html` as trunk reads it: what its lines with `data-trunk` ask for, and the site that they make.
//!
//! There is one description of the site, and people who have trunk can use that instead: `trunk serve`.

use crate::checksum::fnv64;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The files of a site by their paths.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// A program that a page asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) manifest: String,
    pub(crate) bin: String,
    /// The cargo profile of the published site.
    pub(crate) profile: String,
    pub(crate) features: Option<String>,
    /// Whether it runs in a worker: then its files keep their names, and the page does not load it at once.
    pub(crate) is_worker: bool,
}

/// A line of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Line {
    Plain(String),
    Style(String),
    Icon(String),
    Script(String),
    Copy(String),
    Folder(String),
    Program(Program),
}

/// A page with what it asks for.
#[derive(Debug)]
pub(crate) struct Page {
    lines: Vec<Line>,
    /// How the page names its program, and says that it will be needed soon.
    patterns: [String; 2],
}

impl Page {
    /// Reads `index.html` and the patterns in `Trunk.toml`.
    pub(crate) fn read(root: &Path) -> Result<Page, String> {
        let text = |name: &str| {
            fs::read_to_string(root.join(name)).map_err(|error| format!("{name} cannot be read: {error}"))
        };
        Page::parse(&text("index.html")?, &text("Trunk.toml")?)
    }

    fn parse(html: &str, trunk: &str) -> Result<Page, String> {
        let mut lines = Vec::new();
        for (number, line) in html.lines().enumerate() {
            let parsed = if line.contains("data-trunk") {
                asset(line.trim())
            } else {
                Ok(Line::Plain(line.to_owned()))
            };
            lines.push(parsed.map_err(|error| format!("index.html, line {}: {error}", number + 1))?);
        }
        Ok(Page { lines, patterns: [pattern(trunk, "pattern_preload")?, pattern(trunk, "pattern_script")?] })
    }

    /// The programs, in the order of the page.
    pub(crate) fn programs(&self) -> impl Iterator<Item = &Program> {
        self.lines.iter().filter_map(|line| match line {
            Line::Program(program) => Some(program),
            _ => None,
        })
    }

    /// The site. `compiled` has the files of each program under their plain names. The page's own files have a checksum in their
    /// names, so that no browser takes one of another build from its cache.
    pub(crate) fn assemble(&self, root: &Path, compiled: &Files) -> Result<Files, String> {
        let mut site = Files::new();
        let mut html = String::new();
        // One sheet is compressed far better than many.
        let mut styles = Vec::new();
        // Of all programs: the page asks for those of its workers under the name of its own.
        let build = fnv64(compiled.values().map(Vec::as_slice));
        for line in &self.lines {
            let mut hashed = |path: &str| add_hashed(&mut site, root, path);
            let words = match line {
                Line::Plain(text) if text.contains("</head>") && !styles.is_empty() => {
                    let name = format!("styles-{:016x}.css", fnv64([styles.as_slice()]));
                    insert(&mut site, name.clone(), core::mem::take(&mut styles))?;
                    format!("    <link rel=\"stylesheet\" href=\"./{name}\">\n{text}")
                }
                Line::Plain(text) => text.clone(),
                Line::Style(path) => {
                    styles.extend(bare(&String::from_utf8_lossy(&read(root, path)?)).into_bytes());
                    continue;
                }
                Line::Icon(path) => format!("    <link rel=\"icon\" href=\"./{}\">", hashed(path)?),
                Line::Script(path) => {
                    format!("    <script type=\"module\" src=\"./{}\"></script>", hashed(path)?)
                }
                Line::Copy(path) => {
                    let name = file_name(path)?;
                    insert(&mut site, name.to_owned(), read(root, path)?)?;
                    continue;
                }
                Line::Folder(path) => {
                    let name = file_name(path)?;
                    for file in files_in(root, path)? {
                        insert(&mut site, format!("{name}/{file}"), read(root, &format!("{path}/{file}"))?)?;
                    }
                    continue;
                }
                Line::Program(program) => {
                    let hash = (!program.is_worker).then_some(build);
                    let [js, wasm] = add_program(&mut site, compiled, &program.bin, hash)?;
                    if program.is_worker {
                        continue;
                    }
                    let filled = self.patterns.iter().map(|pattern| {
                        let pattern = pattern.replace("{base}", "./").replace("{crossorigin}", "anonymous");
                        format!("    {}", pattern.replace("{js}", &js).replace("{wasm}", &wasm))
                    });
                    filled.collect::<Vec<_>>().join("\n")
                }
            };
            html.push_str(&words);
            html.push('\n');
        }
        insert(&mut site, "index.html".into(), html.into_bytes())?;
        Ok(site)
    }
}

/// A tag with `data-trunk`, alone on its line.
fn asset(tag: &str) -> Result<Line, String> {
    let (name, given) = attributes(tag)?;
    let value = |key: &str| {
        given.get(key).map(|&value| value.to_owned()).ok_or_else(|| format!("the tag has no {key}"))
    };
    if name == "script" {
        return value("src").map(Line::Script);
    }
    let path = value("href")?;
    match &*value("rel")? {
        "css" => Ok(Line::Style(path)),
        "icon" => Ok(Line::Icon(path)),
        "copy-file" => Ok(Line::Copy(path)),
        "copy-dir" => Ok(Line::Folder(path)),
        "rust" => Ok(Line::Program(Program {
            manifest: path,
            bin: value("data-bin")?,
            profile: value("data-cargo-profile-release")?,
            features: value("data-cargo-features").ok(),
            is_worker: given.get("data-type") == Some(&"worker"),
        })),
        other => Err(format!("a link with rel=\"{other}\" is not known here")),
    }
}

/// The name of a tag, and its attributes.
fn attributes(tag: &str) -> Result<(&str, BTreeMap<&str, &str>), String> {
    let inner = tag.strip_prefix('<').and_then(|rest| rest.split_once('>'));
    let Some((inner, "" | "</script>")) = inner else {
        return Err("a tag with data-trunk stands alone on its line".into());
    };
    let (name, mut rest) = inner.split_once(' ').ok_or("the tag has no attributes")?;
    let mut given = BTreeMap::new();
    while !rest.trim_start().is_empty() {
        rest = rest.trim_start();
        let end = rest.find([' ', '=']).unwrap_or(rest.len());
        let (key, after) = rest.split_at(end);
        if let Some(quoted) = after.strip_prefix("=\"") {
            let (value, after) = quoted.split_once('"').ok_or("a value has no closing quote")?;
            given.insert(key, value);
            rest = after;
        } else if after.starts_with('=') {
            return Err(format!("the value of {key} is not quoted"));
        } else {
            given.insert(key, "");
            rest = after;
        }
    }
    Ok((name, given))
}

/// A line `key = '...'` of `Trunk.toml`.
fn pattern(trunk: &str, key: &str) -> Result<String, String> {
    let line = trunk.lines().find_map(|line| {
        line.strip_prefix(key)?.trim_start().strip_prefix('=')?.trim().strip_prefix('\'')?.strip_suffix('\'')
    });
    line.map(str::to_owned).ok_or_else(|| format!("Trunk.toml has no line {key} = '...'"))
}

/// Adds a file under a name with its checksum, and says the name.
fn add_hashed(site: &mut Files, root: &Path, path: &str) -> Result<String, String> {
    let mut bytes = read(root, path)?;
    let (stem, extension) =
        file_name(path)?.rsplit_once('.').ok_or_else(|| format!("{path} has no extension"))?;
    if extension == "js" {
        bytes = bare_script(bytes);
    }
    let name = format!("{stem}-{:016x}.{extension}", fnv64([bytes.as_slice()]));
    insert(site, name.clone(), bytes)?;
    Ok(name)
}

/// Adds a program's files, and says what its script and its code are called.
fn add_program(
    site: &mut Files,
    compiled: &Files,
    bin: &str,
    hash: Option<u64>,
) -> Result<[String; 2], String> {
    let stem = hash.map_or(bin.to_owned(), |hash| format!("{bin}-{hash:016x}"));
    let names = [".js", "_bg.wasm"].map(|end| (format!("{bin}{end}"), format!("{stem}{end}")));
    for ((plain, name), is_script) in names.iter().zip([true, false]) {
        let bytes = compiled.get(plain).ok_or_else(|| format!("{plain} was not built"))?.clone();
        insert(site, name.clone(), if is_script { bare_script(bytes) } else { bytes })?;
    }
    Ok(names.map(|(_, name)| name))
}

fn insert(site: &mut Files, name: String, bytes: Vec<u8>) -> Result<(), String> {
    match site.get(&name) {
        Some(there) if *there != bytes => Err(format!("two files of the site have the name {name}")),
        _ => {
            site.insert(name, bytes);
            Ok(())
        }
    }
}

fn file_name(path: &str) -> Result<&str, String> {
    let name = path.rsplit('/').next().filter(|name| !name.is_empty());
    name.ok_or_else(|| format!("'{path}' is not a file"))
}

/// A stylesheet without its comments and indentation.
fn bare(sheet: &str) -> String {
    let mut text = String::new();
    for (number, part) in sheet.split("/*").enumerate() {
        let kept = if number == 0 { Some(part) } else { part.split_once("*/").map(|(_, rest)| rest) };
        text.push_str(kept.unwrap_or_default());
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.fold(String::new(), |all, line| all + line + "\n")
}

/// A script without its indentation and the comments that have lines of their own: everybody loads it before the first picture. One with a
/// text that goes over several lines, or with code behind a comment, stays as it is.
fn bare_script(script: Vec<u8>) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(&script) else { return script };
    let is_unclear = |line: &str| {
        let code_behind = line.contains("*/") && !line.ends_with("*/");
        line.matches('`').count() % 2 == 1 || code_behind
    };
    if text.lines().any(|line| is_unclear(line.trim_end())) {
        return script;
    }
    let mut inside = false;
    let mut kept = String::with_capacity(text.len());
    for line in text.lines().map(str::trim) {
        let opens = line.starts_with("/*");
        let comment = inside || opens || line.starts_with("//");
        inside = (inside || opens) && !line.ends_with("*/");
        if !comment && !line.is_empty() {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept.into_bytes()
}

/// The names of the files in a folder, and in the folders in it.
fn files_in(root: &Path, path: &str) -> Result<Vec<String>, String> {
    let wrong = |error| format!("{path} cannot be read: {error}");
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join(path)).map_err(wrong)? {
        let entry = entry.map_err(wrong)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().map_err(wrong)?.is_dir() {
            let inner = files_in(root, &format!("{path}/{name}"))?;
            names.extend(inner.into_iter().map(|file| format!("{name}/{file}")));
        } else {
            names.push(name);
        }
    }
    Ok(names)
}

fn read(root: &Path, path: &str) -> Result<Vec<u8>, String> {
    fs::read(root.join(path)).map_err(|error| format!("{path} cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    /// Both programs, as if they had been built.
    fn compiled(engine: &str) -> Files {
        let file = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
        Files::from([
            file("orbitscope-web.js", "page"),
            file("orbitscope-web_bg.wasm", "page's code"),
            file("orbitscope-engine.js", "engine"),
            file("orbitscope-engine_bg.wasm", engine),
        ])
    }

    fn page(site: &Files) -> String {
        String::from_utf8(site["index.html"].clone()).unwrap()
    }

    #[test]
    fn the_page_asks_for_two_programs() {
        let page = Page::read(workspace::root()).unwrap();
        let programs: Vec<_> =
            page.programs().map(|program| (&*program.bin, &*program.profile, program.is_worker)).collect();
        assert_eq!(programs, [("orbitscope-web", "web", false), ("orbitscope-engine", "engine", true)]);
    }

    #[test]
    fn everything_that_the_page_names_is_in_the_site() {
        let site =
            Page::read(workspace::root()).unwrap().assemble(workspace::root(), &compiled("1")).unwrap();
        let html = page(&site);
        assert!(!html.contains("data-trunk") && !html.contains('{'), "{html}");
        let mut named = 0;
        for part in html.split(['"']).filter_map(|part| part.strip_prefix("./")) {
            assert!(site.contains_key(part), "{part}");
            named += 1;
        }
        // The styles, the icon, the script, and the program once as what it is and once as what comes soon.
        assert_eq!(named, 3 + 4);
        for plain in [
            "worker.js",
            "models/peterson.orb",
            "models/library/mcs_lock.orb",
            "manifest.webmanifest",
            "icon-192.png",
            "orbitscope-engine_bg.wasm",
        ] {
            assert!(site.contains_key(plain), "{plain}");
        }
        let styles = site.iter().find(|(name, _)| name.starts_with("styles-")).unwrap().1;
        let styles = String::from_utf8(styles.clone()).unwrap();
        let sheets = fs::read_dir(workspace::root().join("static/styles")).unwrap();
        for sheet in sheets {
            assert!(
                styles.contains(&bare(&fs::read_to_string(sheet.unwrap().path()).unwrap())),
                "a sheet is missing"
            );
        }
        assert!(styles.find(":root") < styles.find("body"), "the order of styles decides");
    }

    #[test]
    fn scripts_lose_what_no_browser_reads() {
        let bare = |text: &str| String::from_utf8(bare_script(text.into())).unwrap();
        let script = "// one\n/** two\n * three */\nlet x = `a`; // four\n\n  if (x) {\n    /* five */\n    y(\"//\");\n  }\n";
        assert_eq!(bare(script), "let x = `a`; // four\nif (x) {\ny(\"//\");\n}\n");
        let long = "let x = `a\n  // no comment\n`;\n";
        assert_eq!(bare(long), long);
        let behind = "/* a */ b();\n// c\n";
        assert_eq!(bare(behind), behind);
        let boot = fs::read_to_string(workspace::root().join("static/boot.js")).unwrap();
        assert!(bare(&boot).len() < boot.len() * 9 / 10, "nothing of it was left out");
    }

    #[test]
    fn another_engine_is_another_page() {
        let page_of = |engine| {
            let site = Page::read(workspace::root()).unwrap().assemble(workspace::root(), &compiled(engine));
            page(&site.unwrap())
        };
        assert_ne!(page_of("1"), page_of("2"));
        assert_eq!(page_of("1"), page_of("1"));
    }

    #[test]
    fn what_is_wrong_has_a_line_or_a_name() {
        let trunk = "pattern_script = 's'\npattern_preload = 'p'\n";
        let error = |line: &str| Page::parse(&format!("<html>\n{line}\n"), trunk).unwrap_err();
        assert_eq!(
            error("<link data-trunk rel=\"scss\" href=\"a\">"),
            "index.html, line 2: a link with rel=\"scss\" is not known here"
        );
        assert_eq!(error("<link data-trunk rel=\"css\">"), "index.html, line 2: the tag has no href");
        assert!(error("<p><link data-trunk>").contains("alone on its line"));
        assert!(error("<link data-trunk rel=css>").contains("not quoted"));
        assert!(error("<link data-trunk rel=\"css>").contains("no closing quote"));
        assert!(Page::parse("", "").unwrap_err().contains("pattern_preload"));
        let lost = Page::parse("<link data-trunk rel=\"css\" href=\"static/none.css\">", trunk).unwrap();
        let error = lost.assemble(workspace::root(), &Files::new()).unwrap_err();
        assert!(error.starts_with("static/none.css cannot be read: "), "{error}");
        let program =
            "<link data-trunk rel=\"rust\" href=\"w\" data-bin=\"b\" data-cargo-profile-release=\"p\">";
        let error = Page::parse(program, trunk).unwrap().assemble(workspace::root(), &Files::new());
        assert_eq!(error, Err("b.js was not built".into()));
    }
}
