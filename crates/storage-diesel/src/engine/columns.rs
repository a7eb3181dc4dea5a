//! The columns of a row type as text, so that a SQL literal selects exactly the columns that the row is read from.
//!
//! They come from diesel's `Selectable`, like the SQL type of the row, so order and names always match.

use diesel::pg::Pg;
use diesel::{Column, Selectable};

/// The columns of a row type, separated by commas, with an optional prefix such as `members.`; without the first `after`
/// columns, and without those named by `except`.
macro_rules! columns {
    ($row:ty) => {
        $crate::engine::columns::columns!($row, "")
    };
    ($row:ty, $prefix:literal) => {
        $crate::engine::columns::columns!($row, $prefix, after 0)
    };
    ($row:ty, $prefix:literal, after $skipped:literal $(, except [$($excepted:literal),*])?) => {{
        const COLUMNS: $crate::engine::columns::Columns =
            $crate::engine::columns::of::<$row, _>($prefix, $skipped, &[$($($excepted),*)?]);
        COLUMNS.as_str()
    }};
}
pub(crate) use columns;

/// Twice the length of the widest row's column list.
const MAX_LENGTH: usize = 2_048;

/// The column names of a row type.
pub(crate) enum Names {
    One(&'static str),
    Several(&'static [Names]),
}

/// What a row selects: a column or a tuple of columns. The marker `M` keeps the two implementations apart.
pub(crate) trait Selected<M> {
    const NAMES: Names;
}

impl<C: Column> Selected<()> for C {
    const NAMES: Names = Names::One(C::NAME);
}

macro_rules! tuples {
    () => {};
    ($first:ident $first_kind:ident $($rest:ident $rest_kind:ident)*) => {
        impl<$first: Selected<$first_kind>, $first_kind, $($rest: Selected<$rest_kind>, $rest_kind),*>
            Selected<($first_kind, $($rest_kind,)*)> for ($first, $($rest,)*)
        {
            const NAMES: Names = Names::Several(&[$first::NAMES, $($rest::NAMES,)*]);
        }
        tuples!($($rest $rest_kind)*);
    };
}

tuples!(
    A Ka B Kb C Kc D Kd E Ke F Kf G Kg H Kh I Ki J Kj K Kk L Kl M Km N Kn O Ko P Kp
    Q Kq R Kr S Ks T Kt U Ku V Kv W Kw X Kx Y Ky Z Kz Aa Kaa Ab Kab Ac Kac Ad Kad Ae Kae Af Kaf
);

/// A string that is assembled at compile time.
pub(crate) struct Columns {
    bytes: [u8; MAX_LENGTH],
    length: usize,
    /// The number of leading columns to skip.
    skipped: usize,
}

impl Columns {
    const fn push(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        let mut index = 0;
        while index < text.len() {
            self.bytes[self.length] = text[index];
            self.length += 1;
            index += 1;
        }
        self
    }

    const fn push_all(mut self, names: &Names, prefix: &str, excluded: &[&str]) -> Self {
        match names {
            Names::One(name) if is_among(name, excluded) => self,
            Names::One(_) if self.skipped > 0 => {
                self.skipped -= 1;
                self
            }
            Names::One(name) => {
                if self.length > 0 {
                    self = self.push(", ");
                }
                self.push(prefix).push(name)
            }
            Names::Several(all) => {
                let mut index = 0;
                while index < all.len() {
                    self = self.push_all(&all[index], prefix, excluded);
                    index += 1;
                }
                self
            }
        }
    }

    pub(crate) const fn as_str(&self) -> &str {
        match str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

const fn is_among(name: &str, names: &[&str]) -> bool {
    let mut index = 0;
    while index < names.len() {
        if is_same(name.as_bytes(), names[index].as_bytes()) {
            return true;
        }
        index += 1;
    }
    false
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut index = 0;
    while index < one.len() && index < other.len() && one[index] == other[index] {
        index += 1;
    }
    index == one.len() && index == other.len()
}

/// For [`columns!`].
pub(crate) const fn of<R, M>(prefix: &str, skipped: usize, excluded: &[&str]) -> Columns
where
    R: Selectable<Pg>,
    R::SelectExpression: Selected<M>,
{
    Columns { bytes: [0; MAX_LENGTH], length: 0, skipped }.push_all(
        &<R::SelectExpression as Selected<M>>::NAMES,
        prefix,
        excluded,
    )
}

#[cfg(test)]
mod tests {
    use diesel::prelude::*;

    use super::*;
    use crate::schema::members;
    use crate::work::issues::IssueRow;

    #[derive(Queryable, Selectable)]
    #[diesel(table_name = members)]
    #[expect(dead_code, reason = "only its columns matter")]
    struct Row {
        user_id: uuid::Uuid,
        #[diesel(embed)]
        part: Part,
    }

    #[derive(Queryable, Selectable)]
    #[diesel(table_name = members)]
    #[expect(dead_code, reason = "only its columns matter")]
    struct Part {
        role: String,
        version: i64,
    }

    #[test]
    fn columns_match_the_row_in_order() {
        assert_eq!(columns!(Row), "user_id, role, version");
        assert_eq!(columns!(Row, "members."), "members.user_id, members.role, members.version");
        assert_eq!(columns!(Row, "new.", after 2), "new.version");
        assert_eq!(columns!(Row, "", after 1, except ["role", "rol"]), "version");
        let selected = diesel::debug_query::<Pg, _>(&<IssueRow as Selectable<Pg>>::construct_selection()).to_string();
        let by_diesel = selected.replace("\"issues\".", "").replace('"', "").replace(" -- binds: []", "");
        assert_eq!(columns!(IssueRow), by_diesel);
    }
}
