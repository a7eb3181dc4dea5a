//! Members of an input object: absent, null or set, and the `fields!` macro that declares them.

use serde_json::{Map, Value as Json};

use super::{Problems, SchemaMember, Storable};

/// One member of a create or patch body.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Field<T> {
    /// Not sent: a patch keeps the stored value, a create uses the default.
    #[default]
    Absent,
    /// Sent as `null`, or as an empty string where that is equivalent: reset to the default, or to no value.
    Null,
    /// Sent with a valid value.
    Set(T),
}

impl<T> Field<T> {
    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    pub const fn set(&self) -> Option<&T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// Writes an optional member to `target`; null clears it.
    pub fn store<U: From<T>>(self, target: &mut Option<U>) {
        match self {
            Self::Absent => {}
            Self::Null => *target = None,
            Self::Set(value) => *target = Some(value.into()),
        }
    }

    /// Writes a member with a default to `target`; null resets it.
    pub fn store_or<U: From<T>>(self, default: U, target: &mut U) {
        match self {
            Self::Absent => {}
            Self::Null => *target = default,
            Self::Set(value) => *target = value.into(),
        }
    }

    /// Writes a member that cannot be null to `target`.
    pub fn replace(self, target: &mut T) {
        if let Self::Set(value) = self {
            *target = value;
        }
    }

    /// Converts the value to the type that the record stores.
    pub fn into_stored(self) -> Field<T::Stored>
    where
        T: Storable,
    {
        match self {
            Self::Absent => Field::Absent,
            Self::Null => Field::Null,
            Self::Set(value) => Field::Set(value.into_stored()),
        }
    }

    /// The value of a patch, with null read as `default`; `None` if the member was not sent.
    pub fn or_default(self, default: T) -> Option<T> {
        match self {
            Self::Absent => None,
            Self::Null => Some(default),
            Self::Set(value) => Some(value),
        }
    }
}

/// The result of reading one JSON value.
#[derive(Debug)]
pub enum Read<T> {
    /// A valid value.
    Value(T),
    /// No value: an empty text.
    Empty,
    /// Invalid; the problem was reported.
    Invalid,
}

impl<T> Read<T> {
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> Read<U> {
        self.and_then(|value| Read::Value(convert(value)))
    }

    /// Validates a value further; `check` reports the problems that it finds.
    pub fn and_then<U>(self, check: impl FnOnce(T) -> Read<U>) -> Read<U> {
        match self {
            Self::Value(value) => check(value),
            Self::Empty => Read::Empty,
            Self::Invalid => Read::Invalid,
        }
    }

    /// The value, if there is a valid one.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Empty | Self::Invalid => None,
        }
    }
}

/// A type that is read from one JSON value of a request and validates it.
pub trait Value: Sized {
    /// The JSON Schema of what [`Value::read`] accepts, without null. Rules that a schema cannot express are checked
    /// by `read` alone.
    fn schema() -> Json;

    /// Reads the value at the path `at`. Shape and rule problems are added to `problems`.
    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self>;

    /// Reads a text that is not JSON, such as a command-line flag.
    ///
    /// # Errors
    /// [`crate::Error::Malformed`] or [`crate::Error::Invalid`] naming `field`; for an empty text, the
    /// latter with `empty_message`.
    fn from_text(text: &str, field: &str, empty_message: &str) -> Result<Self, crate::Error> {
        let mut problems = Problems::default();
        let read = Self::read(Json::String(text.to_owned()), field, &mut problems);
        problems.into_result()?;
        read.value().ok_or_else(|| crate::Error::invalid(field, "required", empty_message))
    }
}

/// Whether an input creates or updates a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputMode {
    /// Required members must be present.
    Create,
    /// At least one member must be present.
    Patch,
}

/// An object that a client sends.
pub trait Input: Sized {
    /// The members that [`Input::read`] accepts, in documented order.
    fn members() -> Vec<SchemaMember>;

    /// Reads all members and collects every problem; invalid members are left absent. `at` is the path of the object
    /// itself, empty for the body.
    fn read(object: Map<String, Json>, at: &str, mode: InputMode, problems: &mut Problems) -> Self;

    /// Reads a whole body.
    ///
    /// # Errors
    /// All shape problems or, if there are none, all rule problems.
    fn from_object(object: Map<String, Json>, mode: InputMode) -> Result<Self, crate::Error> {
        Self::from_object_with(object, mode, Problems::default())
    }

    /// Reads a whole body, with the problems of a request ([`Problems::in_context`]).
    ///
    /// # Errors
    /// Like [`Input::from_object`].
    fn from_object_with(
        object: Map<String, Json>,
        mode: InputMode,
        mut problems: Problems,
    ) -> Result<Self, crate::Error> {
        let input = Self::read(object, "", mode, &mut problems);
        problems.into_result()?;
        Ok(input)
    }
}

/// The path of a member under `at`.
pub fn path(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") }
}

/// Removes one member from an object and reads it.
pub fn take<T: Value>(
    object: &mut Map<String, Json>,
    name: &str,
    at: &str,
    required: Option<InputMode>,
    problems: &mut Problems,
) -> Field<T> {
    let path = path(at, name);
    let field = match object.remove(name) {
        None => {
            if required == Some(InputMode::Create) {
                problems.shape(&path, "required", format!("{path} is required"));
            }
            return Field::Absent;
        }
        Some(Json::Null) => Field::Null,
        Some(json) => match T::read(json, &path, problems) {
            Read::Value(value) => Field::Set(value),
            Read::Empty => Field::Null,
            Read::Invalid => return Field::Absent,
        },
    };
    if required.is_some() && matches!(field, Field::Null) {
        problems.rule(&path, "required", format!("{path} must have a value"));
    }
    field
}

/// Members that hold ids from another system. Tools do not accept them: a model has nowhere to look up such an id, and an invented
/// one would be stored without effect.
pub const EXTERNAL_IDS: [&str; 5] = ["team_id", "template_id", "price_book_id", "package_id", "developer_id"];

/// Removes the members that tools do not accept, and reports each as unknown.
pub fn refuse_external_ids(object: &mut Map<String, Json>, at: &str, problems: &mut Problems) {
    for name in EXTERNAL_IDS {
        if object.remove(name).is_some() {
            problems.shape(path(at, name), "unknown_field", "tools do not take this member");
        }
    }
}

/// The member names that an error lists; for the input of a tool, without those that tools do not accept.
fn listed(names: &[&str], problems: &Problems) -> String {
    let is_listed = |name: &&str| !(problems.is_lenient() && EXTERNAL_IDS.contains(name));
    names.iter().copied().filter(is_listed).collect::<Vec<_>>().join(", ")
}

/// Reports a patch without members.
pub fn refuse_empty(at: &str, known: &[&str], problems: &mut Problems) {
    let known = listed(known, problems);
    problems.rule(at, "empty_patch", format!("at least one field must be sent: {known}"));
}

/// Reports every remaining member as unknown.
pub fn refuse_unknown(object: &Map<String, Json>, at: &str, known: &[&str], problems: &mut Problems) {
    let known = match known {
        [] => "no fields are allowed here".to_owned(),
        known => format!("the fields are {}", listed(known, problems)),
    };
    for name in object.keys() {
        // The client's text is returned truncated.
        let short: String = name.chars().take(100).collect();
        problems.shape(path(at, &short), "unknown_field", format!("this is not a field; {known}"));
    }
}

/// Declares an input object: a struct of [`Field`]s that reads itself from JSON, rejects unknown members and marks the members that
/// a create requires (`required`). The doc comment of a member is its description for people. A line `Note: …` is its description
/// in schemas, for what the name does not say. A line `Default: …` is the default in creates. The other marks are those of
/// `resource!`. A function after `together` checks rules that span several members.
#[macro_export]
#[doc(hidden)]
macro_rules! fields {
    (
        $(#[$doc:meta])*
        $vis:vis struct $name:ident {
            $( $(#[doc = $field_doc:literal])* $field:ident : $type:ty $(= $required:ident)? ),* $(,)?
        }
        $(together $check:path;)?
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Default)]
        $vis struct $name {
            $( $(#[doc = $field_doc])* $vis $field: $crate::kernel::input::Field<$type>, )*
        }

        impl $name {
            /// The names of all members, in documented order.
            $vis const NAMES: &'static [&'static str] = &[$(stringify!($field)),*];
        }

        impl $crate::kernel::input::Input for $name {
            fn members() -> Vec<$crate::kernel::input::SchemaMember> {
                vec![$( $crate::kernel::input::SchemaMember::documented(
                    stringify!($field),
                    &[$($field_doc),*],
                    $crate::fields!(@is_required $($required)?),
                    <$type as $crate::kernel::input::Value>::schema(),
                ) ),*]
            }

            fn read(
                mut object: $crate::kernel::input::json::Map<String, $crate::kernel::input::json::Json>,
                at: &str,
                mode: $crate::kernel::input::InputMode,
                problems: &mut $crate::kernel::input::Problems,
            ) -> Self {
                if mode == $crate::kernel::input::InputMode::Patch && object.is_empty() {
                    $crate::kernel::input::refuse_empty(at, Self::NAMES, problems);
                }
                let input = Self {
                    $( $field: $crate::kernel::input::take(
                        &mut object,
                        stringify!($field),
                        at,
                        $crate::fields!(@required mode $($required)?),
                        problems,
                    ), )*
                };
                $crate::kernel::input::refuse_unknown(&object, at, Self::NAMES, problems);
                $( $check(&input, mode, problems); )?
                input
            }
        }
    };
    (@is_required required) => { true };
    (@is_required default) => { false };
    (@is_required merged) => { false };
    (@is_required own_rule) => { false };
    (@is_required) => { false };
    (@required $mode:tt required) => { Some($mode) };
    (@required $mode:tt default) => { None };
    (@required $mode:tt merged) => { None };
    (@required $mode:tt own_rule) => { None };
    (@required $mode:tt) => { None };
}
pub use fields;
