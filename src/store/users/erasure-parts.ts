import { toUsernameKey } from '../../core/rules/username-rules.ts';
import type { Database } from '../database.ts';
import { createTraceRemover, type PersonTraces } from './person-traces.ts';

/**
 * Rows of a step. Each drink changes some pages of the database, which a slow card has to write; a correction contains many
 * rows; few of the other texts name the person.
 */
const rowsPerStep = { drinks: 50, events: 200, corrections: 50, texts: 500, audit: 1_000 };
/** Drinks among which a step looks for the texts of claims and tokens. */
const drinksSearched = 10_000;

type Remover = ReturnType<typeof createTraceRemover>;

/**
 * Part of an erasure: removes the traces from a number of rows after `lastRow`, 0 at first. Returns the last row that is
 * clean, or null when the part is finished.
 */
type ErasurePart = (traces: PersonTraces, lastRow: number) => number | null;

/** Parts of an erasure, in their order: corrections come before the drinks that their undoing would write again. */
export const erasureParts = (
  db: Database,
  totals: { writingUser(drinkId: number, write: () => void): void },
): readonly ErasurePart[] => [
  ...jsonParts(db),
  userDrinks(db, totals),
  userEvents(db),
  ownAudit(db),
  drinkTexts(db),
  sellerNames(db),
];

/** The drinks of the user, the newest first: where volumes are equal, the first drink is the largest one of the totals. */
function userDrinks(
  db: Database,
  totals: { writingUser(drinkId: number, write: () => void): void },
): ErasurePart {
  const some = db
    .prepare<[number, number], number>(
      'SELECT id FROM drinks WHERE user_id = ? ORDER BY is_valid DESC, id DESC LIMIT ?',
    )
    .pluck();
  // The files are deleted after the commit.
  const removePicture = db.prepare<[number]>('DELETE FROM pictures WHERE drink_id = ?');
  const detach = db.prepare<[number]>(
    `UPDATE drinks SET user_id = NULL, shout = NULL, auth_token = NULL, claimed_username = NULL,
       claimed_username_key = NULL WHERE id = ?`,
  );
  return ({ userId }) => {
    const ids = some.all(userId, rowsPerStep.drinks);
    for (const id of ids) {
      removePicture.run(id);
      totals.writingUser(id, () => detach.run(id));
    }
    return ids.length < rowsPerStep.drinks ? null : 0;
  };
}

/** Runs an update that changes at most `rowsPerStep.events` rows of a user, until it changes fewer. */
function untilNoneLeft(db: Database, sql: string): ErasurePart {
  const statement = db.prepare<[number, number]>(sql);
  return ({ userId }) => (statement.run(userId, rowsPerStep.events).changes < rowsPerStep.events ? null : 0);
}

const userEvents = (db: Database) =>
  untilNoneLeft(
    db,
    'UPDATE events SET user_id = NULL WHERE id IN (SELECT id FROM events WHERE user_id = ? ORDER BY id LIMIT ?)',
  );

const ownAudit = (db: Database) =>
  untilNoneLeft(
    db,
    'UPDATE audit_entries SET user_id = NULL WHERE id IN (SELECT id FROM audit_entries WHERE user_id = ? ORDER BY id LIMIT ?)',
  );

/** Names at lines of tills; a bar has few. */
function sellerNames(db: Database): ErasurePart {
  const names = db.prepare<[], string>('SELECT DISTINCT seller FROM sales WHERE seller IS NOT NULL').pluck();
  const remove = db.prepare<[string]>('UPDATE sales SET seller = NULL WHERE seller = ?');
  return ({ nameKeys }) => {
    for (const name of names.all()) if (nameKeys.includes(toUsernameKey(name))) remove.run(name);
    return null;
  };
}

/** Names and tokens sent with drinks that are not the user’s. */
function drinkTexts(db: Database): ErasurePart {
  const lastId = db.prepare<[], number | null>('SELECT max(id) FROM drinks').pluck();
  const matching = db
    .prepare<{ from: number; to: number; names: string; tokens: string; limit: number }, number>(
      `SELECT id FROM drinks WHERE id > @from AND id <= @to
         AND ((claimed_username_key IS NOT NULL AND claimed_username_key IN (SELECT value FROM json_each(@names)))
           OR (auth_token IS NOT NULL AND lower(auth_token) IN (SELECT value FROM json_each(@tokens))))
       ORDER BY id LIMIT @limit`,
    )
    .pluck();
  const clean = db.prepare<{ id: number; names: string; tokens: string }>(
    `UPDATE drinks SET
       auth_token = iif(lower(auth_token) IN (SELECT value FROM json_each(@tokens)), NULL, auth_token),
       claimed_username = iif(claimed_username_key IN (SELECT value FROM json_each(@names)), NULL, claimed_username),
       claimed_username_key = iif(claimed_username_key IN (SELECT value FROM json_each(@names)), NULL, claimed_username_key)
     WHERE id = @id`,
  );
  return (traces, from) => {
    const remover = createTraceRemover(traces);
    const texts = {
      names: JSON.stringify(traces.nameKeys),
      tokens: JSON.stringify([...remover.tokenTexts]),
    };
    const to = from + drinksSearched;
    const ids = matching.all({ from, to, ...texts, limit: rowsPerStep.texts });
    for (const id of ids) clean.run({ id, ...texts });
    if (ids.length === rowsPerStep.texts) return ids.at(-1)!;
    return to < (lastId.get() ?? 0) ? to : null;
  };
}

/** The tables that store JSON. */
function jsonParts(db: Database): readonly ErasurePart[] {
  /** Calls `change` for each row, in the order of `sql`, which ends with a comparison of the rowid. */
  const eachRow = <R extends { id: number }>(
    sql: string,
    change: (row: R, remover: Remover) => void,
    limit: number = rowsPerStep.texts,
  ): ErasurePart => {
    const page = db.prepare<[number, number], R>(`${sql} ORDER BY rowid LIMIT ?`);
    return (traces, lastRow) => {
      const remover = createTraceRemover(traces);
      const rows = page.all(lastRow, limit);
      for (const row of rows) change(row, remover);
      return rows.length < limit ? null : rows.at(-1)!.id;
    };
  };

  const removeCancelledPicture = db.prepare<[string]>('DELETE FROM cancelled_pictures WHERE name = ?');
  const setCorrection = db.prepare<CorrectionRow>(
    'UPDATE corrections SET before = @before, after = @after WHERE id = @id',
  );
  const cleanCorrections = eachRow<CorrectionRow>(
    `SELECT id, before, after FROM corrections WHERE id > ? AND kind = 'rows'`,
    (row, remover) => {
      const { before, after, pictures } = remover.cleanCorrection(row);
      for (const name of pictures) removeCancelledPicture.run(name);
      if (before !== row.before || after !== row.after) setCorrection.run({ id: row.id, before, after });
    },
    rowsPerStep.corrections,
  );

  const setCancelled = db.prepare<[string, number]>('UPDATE cancelled_pours SET drink = ? WHERE rowid = ?');
  const cleanCancelled = eachRow<{ id: number; text: string }>(
    'SELECT rowid AS id, drink AS text FROM cancelled_pours WHERE rowid > ?',
    ({ id, text }, remover) => {
      const cleaned = remover.cleanCancelledDrink(text);
      if (cleaned !== text) setCancelled.run(cleaned, id);
    },
  );

  const setRefused = db.prepare<[string, number]>('UPDATE refused_pours SET event = ? WHERE id = ?');
  const cleanRefused = eachRow<{ id: number; text: string }>(
    'SELECT id, event AS text FROM refused_pours WHERE id > ?',
    ({ id, text }, remover) => {
      const cleaned = remover.cleanText(text) ?? '{}';
      if (cleaned !== text) setRefused.run(cleaned, id);
    },
  );

  const removeMessage = db.prepare<[number]>('DELETE FROM outbox WHERE id = ?');
  // To an address that the person has not confirmed.
  const cleanMails = eachRow<{ id: number; text: string }>(
    `SELECT id, payload AS text FROM outbox WHERE id > ? AND kind = 'mail'`,
    ({ id, text }, remover) => {
      if (remover.namesPerson(text)) removeMessage.run(id);
    },
  );

  const setAudit = db.prepare<AuditRow>(
    'UPDATE audit_entries SET subject_id = @subject_id, before = @before, after = @after WHERE id = @id',
  );
  const cleanAudit = eachRow<AuditRow>(
    'SELECT id, subject_kind, subject_id, before, after FROM audit_entries WHERE id > ?',
    (row, remover) => {
      // What staff changed of the account contains names that it had.
      const isSubject = row.subject_kind === 'user' && remover.nameKeys.has(toUsernameKey(row.subject_id));
      const cleaned = isSubject
        ? { subject_id: remover.replacement, before: null, after: null }
        : { subject_id: row.subject_id, ...remover.cleanAudit(row) };
      if (isSubject || cleaned.before !== row.before || cleaned.after !== row.after)
        setAudit.run({ ...row, ...cleaned });
    },
    rowsPerStep.audit,
  );
  return [cleanCorrections, cleanCancelled, cleanRefused, cleanMails, cleanAudit];
}

interface AuditRow {
  readonly id: number;
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly before: string | null;
  readonly after: string | null;
}

interface CorrectionRow {
  readonly id: number;
  readonly before: string;
  readonly after: string;
}
