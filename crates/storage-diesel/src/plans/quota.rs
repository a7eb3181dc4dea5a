//! Query plans of the monthly quota.

use time::macros::date;

use super::{BIG, SMALL, check_both};
use crate::limits::quota::count_query;

/// The first create of a month, and the usage page before it, count the records created in the month.
#[test]
fn the_records_of_a_month_are_counted_in_indexes() {
    for index in ["contacts_newest", "companies_newest", "deals_newest", "contacts_erased", "deals_erased"] {
        for workspace in [BIG, SMALL] {
            check_both(count_query(workspace, date!(2099 - 01 - 01)), index, 1);
        }
    }
}
