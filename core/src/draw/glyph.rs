//! States as marks that can be told apart where no letter can be read: a cell for each process and variable, tinted by its
//! value.
//!
//! # Invariants
//!
//! A tint is a function of the variable's type and the value alone: a local state looks the same in every graph of a
//! program, and wherever else a page shows it. Literals of different enumerations have different tints. Nothing of a state that changes is left out: two states with one glyph
//! differ at most in the order of like processes of a large family, or in values that share a tint.

use super::compact::Compact;
use crate::automaton::AutomatonState;
use crate::group::Process;
use crate::program::{Domain, EnumId, FamilyId, Program, Type, VarId};
use alloc::string::String;
use alloc::vec::Vec;

/// More processes than this are bars: one for those in each local state, as wide as they are many.
const LISTED: u32 = 16;
/// A strip has at most this many cells; one with more is told by how often each value is there.
const CELLS: usize = 256;
/// Values beyond this share its tint.
const LAST_TINT: i64 = 63;

/// A state as strips of tinted cells.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Glyph {
    /// Families, then shared variables, then the automaton: as many as the graph has [`StripName`]s.
    pub strips: Vec<Strip>,
}

/// The processes of a family, or a shared variable.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Strip {
    /// From left to right.
    pub columns: Vec<Column>,
}

/// A process, or like ones, or an entry of a table.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Column {
    /// The tints of its values, from top to bottom.
    pub cells: Vec<u8>,
    /// How many processes it stands for: its width against the others'.
    pub count: u32,
    /// Whether it stands for *many*, however many these are; then the count is only a width.
    pub many: bool,
    /// Whether a tracked process is in it.
    pub tracked: bool,
}

/// The subject of a strip.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StripName {
    /// The family or the variable.
    pub name: String,
    /// Its rows: a variable, and the tints of its values with their names, where they have names.
    pub rows: Vec<(String, Vec<(u8, String)>)>,
}

impl Strip {
    /// How many rows and how many columns of cells it has.
    pub fn size(&self) -> (usize, usize) {
        (self.columns.iter().map(|column| column.cells.len()).max().unwrap_or(0), self.columns.len())
    }
}

/// The tint of a value: 0 is the quiet one, of the first literal of the processes, of `false`, of `none` and of the least
/// number.
pub fn tint(program: &Program, var: VarId, value: i32) -> u8 {
    let ty = program.vars[var].ty;
    // Not every enumeration is a variable's.
    let is_used = |id: EnumId| program.vars.iter().any(|var| var.ty.ty == Type::Enum(id));
    let literals = |of: &dyn Fn(EnumId) -> bool| -> i64 {
        let those = program.enums.iter_enumerated().filter(|(id, _)| is_used(*id) && of(*id));
        those.map(|(_, names)| names.len() as i64).sum()
    };
    let number = match ty.ty {
        Type::Enum(id) => {
            // The local states of processes come before the values of shared variables.
            let local = |id: EnumId| {
                program.vars.iter().any(|var| var.owner.is_some() && var.ty.ty == Type::Enum(id))
            };
            let own = (!local(id), id);
            literals(&|other| (!local(other), other) < own) + i64::from(value) - i64::from(ty.low)
        }
        other => {
            let process = matches!(other, Type::Process { .. } | Type::None);
            let number = if process { i64::from(value) + 1 } else { i64::from(value) - i64::from(ty.low) };
            // Types without literals come behind all others.
            if number <= 0 { 0 } else { number + (literals(&|_| true) - 1).max(0) }
        }
    };
    number.clamp(0, LAST_TINT) as u8
}

/// How the states of a program are drawn.
#[derive(Clone, Debug)]
pub struct Glyphs<'p> {
    program: &'p Program,
    /// The families with variables that change, each with those.
    families: Vec<(FamilyId, Vec<VarId>)>,
    shared: Vec<VarId>,
}

impl<'p> Glyphs<'p> {
    /// The glyphs of this program.
    pub fn new(program: &'p Program) -> Self {
        let compact = Compact::new(program);
        let told = |id: FamilyId| {
            let vars = program.families[id].vars.iter().copied();
            let vars: Vec<VarId> = vars.filter(|&var| compact.is_changing(var)).collect();
            (program.families[id].size > 0 && !vars.is_empty()).then_some((id, vars))
        };
        let shared = |&id: &VarId| program.vars[id].owner.is_none() && compact.is_changing(id);
        Glyphs {
            program,
            families: program.families.ids().filter_map(told).collect(),
            shared: program.vars.ids().filter(shared).collect(),
        }
    }

    /// The subjects of the strips. `automaton` says whether states of one come last.
    pub fn names(&self, automaton: bool) -> Vec<StripName> {
        let row = |&var: &VarId| (self.program.vars[var].name.clone(), value_names(self.program, var));
        let families = self.families.iter().map(|(id, vars)| StripName {
            name: self.program.families[*id].name.clone(),
            rows: vars.iter().map(row).collect(),
        });
        let shared = self
            .shared
            .iter()
            .map(|id| StripName { name: self.program.vars[*id].name.clone(), rows: [row(id)].to_vec() });
        let automaton = automaton.then(|| StripName { name: "automaton".into(), rows: Vec::new() });
        families.chain(shared).chain(automaton).collect()
    }

    /// The glyph of a state.
    pub fn glyph(&self, values: &[i32], tracked: &[Process], automaton: Option<AutomatonState>) -> Glyph {
        let mut strips: Vec<Strip> =
            self.families.iter().map(|(id, vars)| self.family(*id, vars, values, tracked)).collect();
        strips.extend(self.shared.iter().map(|&var| self.table(var, 0, values)));
        strips.extend(automaton.map(|q| Strip { columns: [one(q.0.min(LAST_TINT as u32) as u8)].to_vec() }));
        for strip in &mut strips {
            let (rows, columns) = strip.size();
            if rows * columns > CELLS {
                *strip = counted(strip);
            }
        }
        Glyph { strips }
    }

    fn family(&self, id: FamilyId, vars: &[VarId], values: &[i32], tracked: &[Process]) -> Strip {
        let family = &self.program.families[id];
        // A process alone with one table is that table.
        if let ([var], true) = (vars, family.size == 1) {
            return self.table(*var, 0, values);
        }
        let column = |process: u32| {
            let cells = vars.iter().flat_map(|&var| self.tints(var, process, values)).collect();
            let tracked = tracked.contains(&self.program.process(id, process));
            Column { cells, count: 1, tracked, ..Column::default() }
        };
        if family.size <= LISTED {
            return Strip { columns: (0..family.size).map(column).collect() };
        }
        // Like processes mostly follow each other: a column is made for each run of them, not for each process.
        let same = |before: u32, process: u32| {
            vars.iter().all(|&var| self.entries(var, before, values) == self.entries(var, process, values))
        };
        let is_tracked = |process: u32| tracked.contains(&self.program.process(id, process));
        let mut columns: Vec<Column> = Vec::new();
        for process in 0..family.size {
            match columns.last_mut() {
                Some(last) if same(process - 1, process) && last.tracked == is_tracked(process) => {
                    last.count += 1;
                }
                _ => columns.push(column(process)),
            }
        }
        Strip { columns: merged(columns) }
    }

    /// The entries of a variable: in a row, or as rows and columns where it has two indices.
    fn table(&self, var: VarId, process: u32, values: &[i32]) -> Strip {
        let tints = self.tints(var, process, values);
        let rows = match self.program.vars[var].index[..] {
            [_, second] => match second {
                Domain::Family(family) => self.program.families[family].size as usize,
                Domain::Range(low, high) => usize::try_from(high - low + 1).unwrap_or(1),
            },
            _ => 1,
        };
        let column = |cells: &[u8]| Column { cells: cells.to_vec(), count: 1, ..Column::default() };
        Strip { columns: tints.chunks(rows.max(1)).map(column).collect() }
    }

    fn tints(&self, var: VarId, process: u32, values: &[i32]) -> Vec<u8> {
        self.entries(var, process, values).iter().map(|&value| tint(self.program, var, value)).collect()
    }

    fn entries<'v>(&self, var: VarId, process: u32, values: &'v [i32]) -> &'v [i32] {
        let (first, count) = self.program.entries(var, process);
        &values[first.0 as usize..(first.0 + count) as usize]
    }
}

fn one(tint: u8) -> Column {
    Column { cells: [tint].to_vec(), count: 1, ..Column::default() }
}

/// Like columns as one, those of tracked processes first.
fn merged(mut columns: Vec<Column>) -> Vec<Column> {
    columns.sort_by(|a, b| (!a.tracked, &a.cells).cmp(&(!b.tracked, &b.cells)));
    columns.dedup_by(|next, kept| {
        let like = next.cells == kept.cells && next.tracked == kept.tracked;
        kept.count += if like { next.count } else { 0 };
        like
    });
    columns
}

/// A strip of many cells as how often each tint is in it.
fn counted(strip: &Strip) -> Strip {
    let cells = strip.columns.iter().flat_map(|column| {
        column.cells.iter().map(|&tint| Column { count: column.count, tracked: column.tracked, ..one(tint) })
    });
    Strip { columns: merged(cells.collect()) }
}

/// The names of a variable's tints, where its values have names.
fn value_names(program: &Program, var: VarId) -> Vec<(u8, String)> {
    let names = match program.vars[var].ty.ty {
        Type::Bool => ["false", "true"].map(String::from).to_vec(),
        Type::Enum(id) => program.enums[id].clone(),
        _ => Vec::new(),
    };
    let low = program.vars[var].ty.low;
    (low..).zip(names).map(|(value, name)| (tint(program, var, value), name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{self, Settings};
    use crate::syntax::parse;
    use alloc::vec;

    fn built(source: &str) -> Program {
        program::build(&parse(source).file, &Settings::default()).expect("the text is sound")
    }

    fn tints(strip: &Strip) -> Vec<(Vec<u8>, u32)> {
        strip.columns.iter().map(|column| (column.cells.clone(), column.count)).collect()
    }

    #[test]
    fn each_process_is_a_column_of_what_changes() {
        let program = built(
            "shared turn: p? = none shared still: bool = true
             process p[3] { var st: {i, r, c} = i var n: 1..9 = 1 action go: st == i -> st := r, n := 2, turn := self }",
        );
        let glyphs = Glyphs::new(&program);
        // Shared variables stand before local ones in a state.
        let glyph = glyphs.glyph(&[1, 1, 0, 1, 1, 2, 2, 9], &[Process(1)], Some(AutomatonState(2)));
        let [family, turn, automaton] = &glyph.strips[..] else { panic!("{glyph:?}") };
        // Numbers and processes come behind the three literals.
        assert_eq!(tints(family), [(vec![0, 0], 1), (vec![1, 3], 1), (vec![2, 10], 1)]);
        assert!(family.columns[1].tracked && !family.columns[0].tracked);
        assert_eq!((tints(turn), tints(automaton)), (vec![(vec![4], 1)], vec![(vec![2], 1)]));
        let names = glyphs.names(true);
        assert_eq!(names.len(), glyph.strips.len());
        let literals: Vec<(u8, &str)> =
            names[0].rows[0].1.iter().map(|(tint, name)| (*tint, name.as_str())).collect();
        assert_eq!(literals, [(0, "i"), (1, "r"), (2, "c")]);
    }

    #[test]
    fn many_processes_are_bars_and_a_matrix_is_one() {
        let program = built(
            "process p[20] { var st: {i, r} = i action go: st == i -> st := r }
             process q { var knows[2..4, 1..2]: bool = false action learn: not knows[2, 1] -> knows[2, 1] := true }",
        );
        let mut values = vec![0; 26];
        values[7] = 1;
        values[20 + 1] = 1;
        let glyph = Glyphs::new(&program).glyph(&values, &[], None);
        assert_eq!(tints(&glyph.strips[0]), [(vec![0], 19), (vec![1], 1)]);
        assert_eq!(tints(&glyph.strips[1]), [(vec![0, 2], 1), (vec![0, 0], 1), (vec![0, 0], 1)]);
        let tracked = Glyphs::new(&program).glyph(&values, &[Process(3)], None);
        assert_eq!(tints(&tracked.strips[0]), [(vec![0], 1), (vec![0], 18), (vec![1], 1)]);
    }

    #[test]
    fn literals_of_two_enumerations_look_different() {
        let program = built(
            "shared turn: {us, them} = us
             process p[2] { var st: {i, r} = i var on: bool = false action go: st == i -> st := r, on := true, turn := them }",
        );
        let names = Glyphs::new(&program).names(false);
        let values = names.iter().flat_map(|strip| &strip.rows).flat_map(|(_, values)| values);
        let mut tints: Vec<u8> = values.filter(|(_, name)| name != "false").map(|(tint, _)| *tint).collect();
        tints.sort_unstable();
        assert_eq!(tints, [0, 1, 2, 3, 4]);
        // A process that does nothing yet is quiet, though the shared variable stands before it.
        assert_eq!(names[0].rows[0].1[0], (0, "i".into()));
    }
}
