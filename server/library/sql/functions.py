"""The functions that queries may call: those that compute from the values given to them.

DuckDB has many others: they read files, settings and the environment, list its own tables, sleep, run text as a query,
or make values of any size. What is not listed here is refused, including what a later DuckDB adds.
"""

from typing import Final

_OPERATORS: Final = "+ - * / // % ^ ** & | ~ << >> || @> <@ && -> ->> ~~ !~~ ~~* !~~* ~~~ ^@ ! xor"
_AGGREGATES: Final = """
any_value approx_count_distinct approx_quantile arbitrary arg_max arg_max_null arg_min arg_min_null argmax argmin
array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count count_if count_star countif covar_pop covar_samp
entropy first fsum geomean geometric_mean group_concat histogram kurtosis last list listagg mad max max_by mean median
min min_by mode product quantile quantile_cont quantile_disc regr_intercept regr_r2 regr_slope skewness stddev
stddev_pop stddev_samp string_agg sum var_pop var_samp variance weighted_avg wavg
"""
_WINDOWS: Final = """
cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank rank_dense row_number
"""
_NUMBERS: Final = """
abs add cbrt ceil ceiling even exp fdiv floor fmod greatest isfinite isinf isnan least ln log log10 log2 mod multiply
pow power round round_even sign sqrt subtract trunc gcd lcm divide
"""
_TEXTS: Final = """
ascii char_length character_length chr concat concat_ws contains damerau_levenshtein editdist3 ends_with hamming
ilike_escape instr jaccard jaro_similarity jaro_winkler_similarity lcase left length levenshtein like_escape lower ltrim
mismatches nfc_normalize not_ilike_escape not_like_escape ord overlay position prefix regexp_escape regexp_extract
regexp_extract_all regexp_full_match regexp_matches regexp_replace regexp_split_to_array replace reverse right rtrim
split split_part starts_with str_split str_split_regex string_split string_split_regex string_to_array strip_accents
strlen strpos substr substring suffix translate trim ucase unicode upper
"""
_LISTS: Final = """
aggregate apply array_aggr array_aggregate array_append array_apply array_cat array_concat array_contains array_distinct
array_extract array_filter array_has array_has_all array_has_any array_indexof array_intersect array_length
array_position array_prepend array_reduce array_reverse array_reverse_sort array_select array_slice array_sort
array_to_string array_transform array_unique array_value array_where array_zip element_at filter flatten len list_aggr
list_aggregate list_any_value list_append list_apply list_avg list_bool_and list_bool_or list_cat list_concat
list_contains list_count list_distinct list_element list_extract list_filter list_first list_has list_has_all
list_has_any list_histogram list_indexof list_intersect list_last list_max list_median list_min list_mode list_pack
list_position list_prepend list_product list_reduce list_reverse list_reverse_sort list_select list_slice list_sort
list_string_agg list_sum list_transform list_unique list_value list_where list_zip reduce unnest
"""
_STRUCTS: Final = """
cardinality json json_array_length json_extract json_extract_path json_extract_path_text json_extract_string json_keys
json_object json_type json_valid json_value map map_contains map_entries map_extract map_extract_value map_from_entries
map_keys map_values row row_to_json struct_concat struct_extract struct_extract_at struct_keys struct_pack struct_values
to_json
"""
_CONDITIONS: Final = "coalesce constant_or_null if ifnull nullif typeof pg_typeof"

ALLOWED: Final = frozenset(
    name
    for group in (_OPERATORS, _AGGREGATES, _WINDOWS, _NUMBERS, _TEXTS, _LISTS, _STRUCTS, _CONDITIONS)
    for name in group.split()
)
SESSION: Final = frozenset(
    {
        "current_catalog",
        "current_database",
        "current_query",
        "current_role",
        "current_schema",
        "current_user",
        "session_user",
        "user",
    }
)
"""Functions that are called without parentheses."""
