import assert from "node:assert/strict";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { Journal, JournalFull, type Entry } from "../src/journal.js";

const entry = (key: string): Entry => ({ key, at: `2030-01-31T00:00:0${key.length}Z`, message: { text: key } });

async function inFolder(run: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "journal-"));
  try {
    await run(join(folder, "journal.jsonl"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("after a restart, pending messages are kept in order, and sent ones are remembered", () =>
  inFolder(async (path) => {
    let journal = await Journal.open(path);
    assert.deepEqual(await Promise.all(["a", "bb", "ccc", "bb"].map((key) => journal.take(entry(key)))), [true, true, true, false]);
    await journal.settle(entry("bb"));
    await journal.close();
    for (let times = 0; times < 2; times += 1) {
      journal = await Journal.open(path);
      assert.deepEqual([...journal.waiting.values()], [entry("a"), entry("ccc")]);
      assert.equal(await journal.take(entry("bb")), false);
      assert.equal(journal.newest, "2030-01-31T00:00:03Z");
      await journal.close();
    }
  }));

test("an incomplete last line is ignored, and later lines are not", () =>
  inFolder(async (path) => {
    let journal = await Journal.open(path);
    await journal.take(entry("a"));
    await journal.close();
    await appendFile(path, '{"taken":{"key":"b');
    journal = await Journal.open(path);
    assert.equal(await journal.take(entry("ccc")), true);
    await journal.close();
    journal = await Journal.open(path);
    assert.deepEqual([...journal.waiting.keys()], ["a", "ccc"]);
    await journal.close();
  }));

test("the number of pending messages is limited", () =>
  inFolder(async (path) => {
    const journal = await Journal.open(path, 2);
    await Promise.all([journal.take(entry("a")), journal.take(entry("bb"))]);
    await assert.rejects(journal.take(entry("ccc")), JournalFull);
    assert.equal(await journal.take(entry("a")), false);
    await journal.settle(entry("a"));
    assert.equal(await journal.take(entry("ccc")), true);
    await journal.close();
  }));

test("the file does not grow forever", () =>
  inFolder(async (path) => {
    const journal = await Journal.open(path);
    for (let round = 0; round < 12; round += 1) {
      const keys = Array.from({ length: 5_000 }, (_, index) => `${round}-${index}`);
      await Promise.all(keys.map((key) => journal.take({ ...entry("a"), key })));
      await Promise.all(keys.map((key) => journal.settle({ ...entry("a"), key })));
    }
    await journal.take(entry("last"));
    await journal.close();
    assert.ok((await readFile(path, "utf8")).split("\n").length <= 100_000);
    const again = await Journal.open(path);
    assert.deepEqual([...again.waiting.keys()], ["last"]);
    assert.equal(await again.take({ ...entry("a"), key: "11-4999" }), false);
    await again.close();
  }));
