import { toUsernameKey } from '../../core/users/username-rules.ts';
import type { Database } from '../database.ts';
import type { DrinkTotals, PersonData } from '../shared/person-data.ts';
import type { PersonTraces } from '../shared/person-traces.ts';

/**
 * Removes a person from every table, as the subjects declare. The account with everything that identifies the person goes at
 * once; a long history goes in steps, each in a transaction of its own, so that no other request waits long. What is left
 * to do is stored, so that it is continued after a power cut.
 */
export function erasure(db: Database, declared: readonly PersonData[], totals: DrinkTotals) {
  const list = <T>(of: (one: PersonData) => readonly T[] | undefined): readonly T[] =>
    declared.flatMap((one) => of(one) ?? []);
  const byUser = [
    ...list((one) => one.byUser),
    ...list((one) => one.deletes).map((name) => {
      const [table, column] = name.split('.');
      return `DELETE FROM ${table} WHERE ${column} = @id`;
    }),
    // The row stays until no drink refers to it. No username can begin with `#`.
    `UPDATE users SET username = '#' || id, username_key = '#' || id, display_name = '#' || id, email = '',
       password_hash = NULL, is_staff = 0, is_superuser = 0, is_active = 0, notification_language = NULL
     WHERE id = @id`,
  ].map((sql) => db.prepare<{ id: number }>(sql));
  const byEmail = list((one) => one.byEmail).map((sql) => db.prepare<{ email: string }>(sql));
  const byToken = list((one) => one.byToken).map((sql) => db.prepare<{ device: string; value: string }>(sql));
  const tokens = list((one) => (one.tokens === undefined ? [] : [one.tokens])).map((sql) =>
    db.prepare<{ id: number }, PersonTraces['tokens'][number]>(sql),
  );
  const parts = list((one) => one.parts?.(db, totals));
  const names = findNames(db);

  const begin = db.prepare<[number, string]>('INSERT INTO erasures (user_id, traces) VALUES (?, ?)');
  const unfinished = db.prepare<[], ErasureRow>('SELECT * FROM erasures ORDER BY user_id LIMIT 1');
  const advance = db.prepare<ErasureRow>(
    'UPDATE erasures SET part = @part, last_row = @last_row WHERE user_id = @user_id',
  );
  const removeUser = db.prepare<[number]>('DELETE FROM users WHERE id = ?');

  return {
    /** The traces of a user; null without such a user. */
    traces(userId: number): PersonTraces | null {
      const found = names(userId);
      return (
        found && {
          userId,
          ...found,
          tokens: tokens.flatMap((statement) => statement.all({ id: userId })),
        }
      );
    },
    /** Erases the account. Call it inside a transaction, and `step` afterwards until nothing is left. */
    begin(traces: PersonTraces): void {
      const { userId: id, emails } = traces;
      begin.run(id, JSON.stringify(traces));
      for (const statement of byUser) statement.run({ id });
      for (const email of emails) for (const statement of byEmail) statement.run({ email });
      for (const { device, value } of traces.tokens)
        for (const statement of byToken) statement.run({ device, value });
    },
    isUnfinished: (): boolean => unfinished.get() !== undefined,
    /**
     * Removes the next traces, a bounded number. Call it inside a transaction of its own. Drinks stay without a user, and
     * totals stay equal to their sums.
     */
    step(): void {
      const erasure = unfinished.get();
      if (erasure === undefined) return;
      const part = parts[erasure.part];
      if (part !== undefined) {
        const lastRow = part(JSON.parse(erasure.traces) as PersonTraces, erasure.last_row);
        const next = lastRow === null ? { part: erasure.part + 1, last_row: 0 } : { last_row: lastRow };
        advance.run({ ...erasure, ...next });
        return;
      }
      // The row of the erasure goes with the account.
      totals.moveToNobody(erasure.user_id);
      removeUser.run(erasure.user_id);
    },
  };
}

interface ErasureRow {
  readonly user_id: number;
  readonly traces: string;
  readonly part: number;
  readonly last_row: number;
}

/** Finds the present and the earlier names and addresses of a user; null without such a user. */
function findNames(db: Database) {
  const person = db.prepare<[number], { username_key: string; email: string }>(
    'SELECT username_key, email FROM users WHERE id = ?',
  );
  const aliasKeys = db
    .prepare<[number], string>('SELECT username_key FROM user_aliases WHERE user_id = ?')
    .pluck();
  const renames = db.prepare<[], { subject_id: string; earlier: string }>(
    `SELECT subject_id, json_extract(before, '$.username') AS earlier FROM audit_entries
     WHERE action IN ('user.renamed', 'user.alias_removed') AND earlier IS NOT NULL ORDER BY id DESC`,
  );
  // A name that an undone rename took away is no alias any more.
  const changedTexts = db
    .prepare<{ userId: number; field: 'username' | 'email' }, string>(
      `SELECT value FROM corrections c, json_each(json_array(json_extract(c.before, '$.fields.' || @field),
         json_extract(c.after, '$.fields.' || @field)))
       WHERE c.kind = 'user' AND json_extract(c.before, '$.userId') = @userId AND value IS NOT NULL`,
    )
    .pluck();
  const otherOwner = db
    .prepare<{ key: string; userId: number }, number>(
      `SELECT 1 FROM users WHERE username_key = @key AND id <> @userId
       UNION ALL SELECT 1 FROM user_aliases WHERE username_key = @key AND user_id <> @userId`,
    )
    .pluck();
  return (userId: number): Pick<PersonTraces, 'nameKeys' | 'emails'> | null => {
    const found = person.get(userId);
    if (found === undefined) return null;
    const nameKeys = new Set([found.username_key, ...aliasKeys.all(userId)]);
    for (const name of changedTexts.all({ userId, field: 'username' })) {
      const key = toUsernameKey(name);
      if (otherOwner.get({ key, userId }) === undefined) nameKeys.add(key);
    }
    // Aliases that were removed, unless somebody else has the name now.
    for (const { subject_id: name, earlier } of renames.all()) {
      const key = toUsernameKey(earlier);
      if (nameKeys.has(toUsernameKey(name)) && otherOwner.get({ key, userId }) === undefined)
        nameKeys.add(key);
    }
    const emails = new Set([found.email, ...changedTexts.all({ userId, field: 'email' })]);
    emails.delete('');
    return { nameKeys: [...nameKeys], emails: [...emails] };
  };
}
