//! The languages that articles of a knowledge base can be written in.

use super::input::{choices, readable_choices};

choices! {
    /// The language of a workspace's articles; selects the stemmer of the full-text search.
    pub enum KbLanguage {
        /// No language: words are not stemmed.
        Simple = "simple",
        /// Arabic.
        Arabic = "arabic",
        /// Armenian.
        Armenian = "armenian",
        /// Basque.
        Basque = "basque",
        /// Catalan.
        Catalan = "catalan",
        /// Danish.
        Danish = "danish",
        /// Dutch.
        Dutch = "dutch",
        /// English.
        English = "english",
        /// Finnish.
        Finnish = "finnish",
        /// French.
        French = "french",
        /// German.
        German = "german",
        /// Greek.
        Greek = "greek",
        /// Hindi.
        Hindi = "hindi",
        /// Hungarian.
        Hungarian = "hungarian",
        /// Indonesian.
        Indonesian = "indonesian",
        /// Irish.
        Irish = "irish",
        /// Italian.
        Italian = "italian",
        /// Lithuanian.
        Lithuanian = "lithuanian",
        /// Nepali.
        Nepali = "nepali",
        /// Norwegian.
        Norwegian = "norwegian",
        /// Portuguese.
        Portuguese = "portuguese",
        /// Romanian.
        Romanian = "romanian",
        /// Russian.
        Russian = "russian",
        /// Serbian.
        Serbian = "serbian",
        /// Spanish.
        Spanish = "spanish",
        /// Swedish.
        Swedish = "swedish",
        /// Tamil.
        Tamil = "tamil",
        /// Turkish.
        Turkish = "turkish",
        /// Yiddish.
        Yiddish = "yiddish",
    }
}

readable_choices!(KbLanguage);
