import type { Database } from '../database.ts';
import {
  type DrinkTotals,
  type ErasurePart,
  eachRow,
  emptyUser,
  type PersonData,
  textsPerStep,
} from '../shared/person-data.ts';
import { createTraceFinder } from '../shared/person-traces.ts';
import { createRowCleaner } from './person-rows.ts';

/** Each drink changes some pages of the database, which a slow card has to write; a correction contains many rows. */
const drinksPerStep = 50;
const correctionsPerStep = 50;
/** Drinks among which a step looks for the texts of claims and tokens. */
const drinksSearched = 10_000;

export const drinksPersonData: PersonData = {
  deletes: ['pictures.user_id', 'picture_uploads.user_id'],
  cleans: [
    'drinks.user_id',
    'drinks.claimed_username',
    'drinks.claimed_username_key',
    'drinks.auth_token',
    'events.user_id',
    'corrections.before',
    'corrections.after',
    'cancelled_pours.drink',
  ],
  others: {
    'reported_pours.sender': 'the name of a board, or the id of a user who is nobody then',
    'corrections.undone_by': 'an entry of the audit log',
    'provisional_times.row_id': 'a row of another table, which cleans its own',
    'drink_totals.subject': 'the id of a user, whose totals move to nobody',
  },
  // Corrections come before the drinks that their undoing would write again.
  parts: (db, totals) => [
    corrections(db),
    cancelledDrinks(db),
    userDrinks(db, totals),
    emptyUser(db, 'events'),
    drinkTexts(db),
  ],
};

/** The rows of drinks in corrections. */
function corrections(db: Database): ErasurePart {
  const removePicture = db.prepare<[string]>('DELETE FROM cancelled_pictures WHERE name = ?');
  const set = db.prepare<CorrectionRow>(
    'UPDATE corrections SET before = @before, after = @after WHERE id = @id',
  );
  return eachRow<CorrectionRow>(
    db,
    `SELECT id, before, after FROM corrections WHERE id > ? AND kind = 'rows'`,
    (row, finder) => {
      const { before, after, pictures } = createRowCleaner(finder).cleanCorrection(row);
      for (const name of pictures) removePicture.run(name);
      if (before !== row.before || after !== row.after) set.run({ id: row.id, before, after });
    },
    correctionsPerStep,
  );
}

interface CorrectionRow {
  readonly id: number;
  readonly before: string;
  readonly after: string;
}

function cancelledDrinks(db: Database): ErasurePart {
  const set = db.prepare<[string, number]>('UPDATE cancelled_pours SET drink = ? WHERE rowid = ?');
  return eachRow<{ id: number; text: string }>(
    db,
    'SELECT rowid AS id, drink AS text FROM cancelled_pours WHERE rowid > ?',
    ({ id, text }, finder) => {
      const cleaned = createRowCleaner(finder).cleanCancelledDrink(text);
      if (cleaned !== text) set.run(cleaned, id);
    },
  );
}

/** The drinks of the user, the newest first: where volumes are equal, the first drink is the largest one of the totals. */
function userDrinks(db: Database, totals: DrinkTotals): ErasurePart {
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
    const ids = some.all(userId, drinksPerStep);
    for (const id of ids) {
      removePicture.run(id);
      totals.writingUser(id, () => detach.run(id));
    }
    return ids.length < drinksPerStep ? null : 0;
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
    const { tokenTexts } = createTraceFinder(traces);
    const texts = {
      names: JSON.stringify(traces.nameKeys),
      tokens: JSON.stringify([...tokenTexts]),
    };
    const to = from + drinksSearched;
    const ids = matching.all({ from, to, ...texts, limit: textsPerStep });
    for (const id of ids) clean.run({ id, ...texts });
    if (ids.length === textsPerStep) return ids.at(-1)!;
    return to < (lastId.get() ?? 0) ? to : null;
  };
}
