//! ISO 4217.

/// The active alphabetic codes, sorted.
const CODES: &str = "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF \
CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL \
HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT \
MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG \
SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV \
WST XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX YER ZAR ZMW ZWG";

/// Whether a text is an active code in uppercase.
pub fn is_currency(text: &str) -> bool {
    text.len() == 3 && currencies().any(|code| code == text)
}

/// The active codes.
pub(super) fn currencies() -> impl Iterator<Item = &'static str> {
    CODES.split(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_uppercase_and_three_letters() {
        let codes: Vec<_> = CODES.split(' ').collect();
        assert!(codes.is_sorted());
        assert!(codes.iter().all(|code| code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase())));
        assert!(
            is_currency("EUR")
                && is_currency("ZWG")
                && !is_currency("EU")
                && !is_currency("EUR USD")
                && !is_currency(" ")
        );
    }
}
