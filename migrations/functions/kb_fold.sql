CREATE OR REPLACE FUNCTION kb_fold(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    -- The marks are those of `is_folded_mark` in the domain: a test compares them, and prints them.
    SELECT CASE WHEN value ~ '[^\x01-\x7f]' THEN
        translate(replace(replace(replace(replace(
            normalize(lower(regexp_replace(normalize(lower(value), NFKD),
            '['
            '\u0300-\u034e\u0350-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7-\u05c9\u0610-\u061a'
            '\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07eb-\u07f3\u07fd'
            '\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b\u0897-\u089f\u08ca-\u08e1\u08e3-\u08ff\u093c'
            '\u0951-\u0954\u09bc\u09fe\u0a3c\u0abc\u0b3c\u0c3c\u0cbc\u0e48-\u0e4b\u0ec8-\u0ecb\u0f18\u0f19\u0f35\u0f37'
            '\u0f39\u0f82\u0f83\u0f86\u0f87\u0fc6\u1037\u108d\u135d-\u135f\u17dd\u18a9\u1939-\u193b\u1a17\u1a18'
            '\u1a75-\u1a7c\u1a7f\u1ab0-\u1af0\u1b34\u1b6b-\u1b73\u1be6\u1c37\u1cd0-\u1cd2\u1cd4-\u1ce0\u1ce2-\u1ce8\u1ced'
            '\u1cf4\u1cf8\u1cf9\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2de0-\u2dff\u302a-\u302f\ua66f-\ua672\ua674-\ua67d'
            '\ua69e\ua69f\ua6f0\ua6f1\ua8e0-\ua8f1\ua92b-\ua92d\ua9b3\uaab0\uaab2-\uaab4\uaab7\uaab8\uaabe\uaabf\uaac1'
            '\ufb1e\ufe20-\ufe2f\U000101fd\U000102e0\U00010376-\U0001037a\U00010a0d\U00010a0f\U00010a38-\U00010a3a'
            '\U00010ae5\U00010ae6\U00010d24-\U00010d27\U00010d69-\U00010d6d\U00010eab\U00010eac\U00010ecb-\U00010ecf'
            '\U00010ef0-\U00010efb\U00010efd-\U00010eff\U00010f46-\U00010f50\U00010f82-\U00010f85\U000110ba'
            '\U00011100-\U00011102\U00011173\U000111ca\U00011236\U000112e9\U0001133b\U0001133c\U00011366-\U0001136c'
            '\U00011370-\U00011374\U00011446\U0001145e\U000114c3\U000115c0\U000116b7\U0001183a\U00011943\U00011d42'
            '\U00016af0-\U00016af4\U00016b30-\U00016b36\U00016ff0\U00016ff1\U0001bc9e\U0001d127\U0001d128'
            '\U0001d165-\U0001d169\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad'
            '\U0001d242-\U0001d244\U0001d250-\U0001d252\U0001d25b\U0001d25c\U0001d25f\U0001d280\U0001d281'
            '\U0001e000-\U0001e006\U0001e008-\U0001e018\U0001e01b-\U0001e021\U0001e023\U0001e024\U0001e026-\U0001e02a'
            '\U0001e08f\U0001e130-\U0001e136\U0001e2ae\U0001e2ec-\U0001e2ef\U0001e4ec-\U0001e4ef\U0001e5ee\U0001e5ef'
            '\U0001e6e3\U0001e6e6\U0001e6ee\U0001e6ef\U0001e6f5\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a'
            ']', '', 'g')), NFC),
            'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðıς', 'olddiσ')
    ELSE lower(value) END
$$;
COMMENT ON FUNCTION kb_fold IS 'Lower case without accents: the form in which words are compared letter by letter.';
REVOKE ALL ON FUNCTION kb_fold FROM PUBLIC;
