//! Writes the rows of an import. Like the items of an upsert, rows are matched by keys, or also by id. A row with neither creates a
//! record. A row about a record that an earlier row of the file has written is refused.

use std::collections::HashSet;

use uuid::Uuid;

use super::companies::NewCompanies;
use super::contents::Item;
use super::outcome::{ItemError, Outcome, Outcomes};
use super::plan::{KeyedItem, Plan, matched};
use super::run::{Run, Upsertable, key_names, keys_of};
use crate::Error;
use crate::identity::access::Permit;
use crate::ports::{Ports, Tx};
use crate::records::{EarlierRows, NumberedRow, OnMatch, RowOutcome, already_exists, repeats_row};

/// Creates or updates a record for each row, and creates the new companies that the rows need, in the transaction of their batch.
/// Sends no e-mails about assignments.
pub(crate) fn import_rows<P, R: Upsertable>(
    ports: &Ports,
    permit: &Permit<P>,
    tx: &mut dyn Tx,
    on_match: OnMatch,
    rows: Vec<NumberedRow>,
    companies: &mut NewCompanies,
    earlier: &mut EarlierRows<'_>,
) -> Result<Vec<RowOutcome>, Error> {
    let run = Run::<R>::of_import(ports, permit);
    let mut outcomes = Outcomes::default();
    let (lines, items): (Vec<_>, Vec<_>) =
        rows.into_iter().map(|numbered| (numbered.line, Item::<R::Fields>::of_row(numbered.row))).unzip();
    let mut waiting = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        match item {
            Ok(item) => waiting.push(KeyedItem { index, item, keys: R::keys_of(&item.fields) }),
            Err(error) => outcomes.fail(index, error.clone()),
        }
    }
    while !waiting.is_empty() {
        refuse_known::<R>(&mut waiting, earlier, &mut outcomes);
        let (first, mut later) = first_of_each_key(waiting);
        let found = run.find(tx, &keys_of(&first))?;
        let mut plan = matched(first, &found, key_names::<R>(), run.may_read, &mut outcomes);
        later.extend(std::mem::take(&mut plan.repeated).into_iter().map(|(item, _)| item));
        later.sort_by_key(|item| item.index);
        refuse_repeated::<R>(tx, &mut plan, earlier, &mut outcomes)?;
        settle_matches::<R>(&mut plan, on_match, &mut outcomes);
        run.create_companies(tx, &mut plan, companies, &mut outcomes)?;
        let changed = plan.changes.iter().map(|(item, _)| item);
        let written: Vec<_> = changed.chain(&plan.creations).map(|item| (item.index, item.keys.clone())).collect();
        run.carry_out(tx, plan, &mut outcomes)?;
        for (index, keys) in written {
            if let (Some(id), Some(line)) = (outcomes.written(index), lines.get(index)) {
                earlier.note(id, &keys, *line);
            }
        }
        waiting = later;
    }
    Ok(outcomes.into_rows())
}

/// Refuses items that have the id or a key of an earlier row.
fn refuse_known<R: Upsertable>(
    waiting: &mut Vec<KeyedItem<'_, R::Fields>>,
    earlier: &EarlierRows<'_>,
    outcomes: &mut Outcomes,
) {
    waiting.retain(|item| match earlier.line_with(item.item.id, &item.keys) {
        Some(line) => {
            outcomes.fail(item.index, repeats::<R>(line, None));
            false
        }
        None => true,
    });
}

/// Refuses changes of records that an earlier row of the file has written.
fn refuse_repeated<R: Upsertable>(
    tx: &mut dyn Tx,
    plan: &mut Plan<'_, '_, R::Fields>,
    earlier: &mut EarlierRows<'_>,
    outcomes: &mut Outcomes,
) -> Result<(), Error> {
    earlier.look_up(tx, plan.changes.iter().map(|(_, record)| record.id))?;
    plan.changes.retain(|(item, record)| match earlier.line_of(record.id) {
        Some(line) => {
            outcomes.fail(item.index, repeats::<R>(line, Some(record.id)));
            false
        }
        None => true,
    });
    Ok(())
}

fn repeats<R: Upsertable>(line: u64, id: Option<Uuid>) -> ItemError {
    ItemError::duplicate(repeats_row(R::NOUN, line), id)
}

/// Removes the changes from the plan, unless matched records are to be updated.
fn settle_matches<R: Upsertable>(plan: &mut Plan<'_, '_, R::Fields>, on_match: OnMatch, outcomes: &mut Outcomes) {
    if on_match == OnMatch::Update {
        return;
    }
    for (item, record) in std::mem::take(&mut plan.changes) {
        let outcome = match on_match {
            OnMatch::Refuse => Outcome::Failed(ItemError::duplicate(already_exists(R::NOUN), Some(record.id))),
            OnMatch::Skip | OnMatch::Update => Outcome::Skipped(record.id),
        };
        outcomes.set(item.index, outcome);
    }
}

/// Splits items into the first with each key and those that repeat a key of an earlier item.
fn first_of_each_key<F>(items: Vec<KeyedItem<'_, F>>) -> (Vec<KeyedItem<'_, F>>, Vec<KeyedItem<'_, F>>) {
    let (mut external_ids, mut natural, mut ids) = (HashSet::new(), HashSet::new(), HashSet::new());
    items.into_iter().partition(|item| {
        let is_first =
            |key: &Option<String>, seen: &HashSet<String>| key.as_ref().is_none_or(|key| !seen.contains(key));
        let is_first = is_first(&item.keys.external_id, &external_ids) && is_first(&item.keys.natural, &natural);
        let is_first = is_first && item.item.id.is_none_or(|id| !ids.contains(&id));
        // Keys of repeating items count too, because later items with the same keys must wait for them.
        external_ids.extend(item.keys.external_id.clone());
        natural.extend(item.keys.natural.clone());
        ids.extend(item.item.id);
        is_first
    })
}
