//! The languages that articles of a knowledge base can be written in.

use super::input::{choices, readable_choices};

choices! {
    /// The language of a workspace's articles; selects the stemmer of the full-text search.
    pub enum KbLanguage {
        /// No language: words are not stemmed.
        Simple = "simple",
        /// Arabic.
        Arabic = "arabic",
        Armenian = "armenian",
        Basque = "basque",
        Catalan = "catalan",
        Danish = "danish",
        Dutch = "dutch",
        English = "english",
        Finnish = "finnish",
        French = "french",
        German = "german",
        Greek = "greek",
        Hindi = "hindi",
        Hungarian = "hungarian",
        Indonesian = "indonesian",
        Irish = "irish",
        Italian = "italian",
        Lithuanian = "lithuanian",
        Nepali = "nepali",
        Norwegian = "norwegian",
        Portuguese = "portuguese",
        Romanian = "romanian",
        Russian = "russian",
        Serbian = "serbian",
        Spanish = "spanish",
        Swedish = "swedish",
        Tamil = "tamil",
        Turkish = "turkish",
        Yiddish = "yiddish",
    }
}

readable_choices!(KbLanguage);
