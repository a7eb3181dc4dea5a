//! The `resource!` macro: one declaration of a resource's members makes what clients send and what is stored.

/// Declares the members of a resource once. From them follow
///
/// - the input: a struct of [`Field`](crate::kernel::input::Field)s that reads itself, as [`fields!`] makes it;
/// - the record, which has `id` first, `version`, `created_at`, `updated_at` and `created_by` last, and stores of each
///   member what [`Storable`](crate::kernel::input::Storable) says. It serialises as JSON, and has a JSON Schema, in the
///   order of the members;
/// - `blank`, a record with defaults alone; names behind the id's type are further arguments of it;
/// - [`Resource::apply`](super::Resource::apply) and [`Resource::REFERENCES`](super::Resource::REFERENCES).
///
/// ```text
/// name: Type                      may have no value: `Option` of what the type is stored as
/// name: Type = required           has a value always, from the create on
/// name: Type = default(value)     has this value unless given, and again when it is set to null
/// name: Type = own_rule           may have no value; `apply` leaves it to a rule beside the declaration
/// name: Type = own_rule(value)    has this value in a blank record; `apply` leaves it to a rule
/// name: Type => Reference::Deal   behind any of these: is the id of a record that must exist
/// [read_only name: Type = value]  clients do not send it; stored as `Type`, this value in a blank record
/// ```
///
/// [`fields!`]: crate::kernel::input::fields
macro_rules! resource {
    (
        $(#[$input_doc:meta])*
        pub input $input:ident $(together $check:path)?;

        $(#[$record_doc:meta])*
        pub record $record:ident($id:ty $(, $given:ident: $given_type:ty)*) {
            $(
                $(
                    $(#[doc = $doc:literal])*
                    $member:ident: $type:ty $(= $how:ident $(($default:expr))?)? $(=> $reference:path)?
                )?
                $([read_only $kept:ident: $kept_type:ty = $kept_default:expr])?
            ),*
        }
    ) => {
        $crate::kernel::input::fields! {
            $(#[$input_doc])*
            pub struct $input {
                $($( $(#[doc = $doc])* $member: $type $(= $how)?, )?)*
            }
            $(together $check;)?
        }

        $(#[$record_doc])*
        #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
        pub struct $record {
            pub id: $id,
            $(
                $(
                    $(#[doc = $doc])*
                    #[serde(serialize_with = "crate::kernel::input::as_json")]
                    pub $member: $crate::records::resource!(@stored $type $(, $how $(($default))?)?),
                )?
                $(
                    #[serde(serialize_with = "crate::kernel::input::as_json")]
                    pub $kept: $kept_type,
                )?
            )*
            /// Counts its changes, from 1.
            pub version: i64,
            #[serde(serialize_with = "crate::kernel::input::as_json")]
            pub created_at: time::OffsetDateTime,
            #[serde(serialize_with = "crate::kernel::input::as_json")]
            pub updated_at: time::OffsetDateTime,
            pub created_by: $crate::identity::access::Actor,
        }

        impl schemars::JsonSchema for $record {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($record).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::kernel::input::schema::RecordSchema::new(generator)
                    .member::<$id>("id")
                    $(
                        $( .member::<$crate::records::resource!(@stored $type $(, $how $(($default))?)?)>(
                            stringify!($member),
                        ) )?
                        $( .member::<$kept_type>(stringify!($kept)) )?
                    )*
                    .member::<i64>("version")
                    .member::<time::OffsetDateTime>("created_at")
                    .member::<time::OffsetDateTime>("updated_at")
                    .member::<$crate::identity::access::Actor>("created_by")
                    .build()
            }
        }

        impl $record {
            /// A record with defaults alone, to put an input into.
            pub fn blank(
                id: $id,
                $($given: $given_type,)*
                created_by: $crate::identity::access::Actor,
                now: time::OffsetDateTime,
            ) -> Self {
                Self {
                    id,
                    $(
                        $( $member: $crate::records::resource!(@blank $($how $(($default))?)?), )?
                        $( $kept: $kept_default, )?
                    )*
                    version: 1,
                    created_at: now,
                    updated_at: now,
                    created_by,
                }
            }

        }

        impl $crate::records::Resource for $record {
            type Input = $input;
            const REFERENCES: &'static [(&'static str, $crate::records::ReferenceOf<Self>)] =
                &[$($($( (stringify!($member), |record| record.$member.map($reference)), )?)?)*];

            fn apply(&mut self, fields: $input) {
                $($( $crate::records::resource!(@apply self fields $member $($how $(($default))?)?); )?)*
            }
        }
    };

    (@stored $type:ty) => { Option<<$type as $crate::kernel::input::Storable>::Stored> };
    (@stored $type:ty, required) => { <$type as $crate::kernel::input::Storable>::Stored };
    (@stored $type:ty, default($default:expr)) => { <$type as $crate::kernel::input::Storable>::Stored };
    (@stored $type:ty, own_rule) => { Option<<$type as $crate::kernel::input::Storable>::Stored> };
    (@stored $type:ty, own_rule($default:expr)) => { <$type as $crate::kernel::input::Storable>::Stored };

    (@blank) => { None };
    (@blank required) => { Default::default() };
    (@blank default($default:expr)) => { $default };
    (@blank own_rule) => { None };
    (@blank own_rule($default:expr)) => { $default };

    (@apply $record:ident $fields:ident $member:ident) => {
        $fields.$member.into_stored().store(&mut $record.$member)
    };
    (@apply $record:ident $fields:ident $member:ident required) => {
        $fields.$member.into_stored().replace(&mut $record.$member)
    };
    (@apply $record:ident $fields:ident $member:ident default($default:expr)) => {
        $fields.$member.into_stored().store_or($default, &mut $record.$member)
    };
    (@apply $record:ident $fields:ident $member:ident own_rule $($default:tt)?) => {};
}
pub(crate) use resource;
