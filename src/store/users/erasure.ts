import { toUsernameKey } from '../../core/rules/username-rules.ts';
import type { Database } from '../database.ts';
import { erasureParts } from './erasure-parts.ts';
import type { PersonTraces } from './person-traces.ts';

/**
 * Removes a person from every table. The account with everything that identifies the person goes at once; a long history
 * goes in steps, each in a transaction of its own, so that no other request waits long. What is left to do is stored, so
 * that it is continued after a power cut. Each table that can hold a name, an address or a token of a person has a
 * statement here or in `erasure-parts.ts`; `test/http/current/users/erase.test.ts` looks for what is missing.
 */
export function erasure(
  db: Database,
  totals: { moveToNobody(userId: number): void; writingUser(drinkId: number, write: () => void): void },
) {
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
  // Also deleted ones, unless there is a token of that value again.
  const tokens = db.prepare<{ id: number }, { id: number; device: string; value: string }>(
    `SELECT id, auth_device AS device, token_value AS value FROM auth_tokens WHERE user_id = @id
     UNION SELECT t.id, f.auth_device, f.token_value FROM auth_tokens t JOIN token_forms f ON f.token_id = t.id WHERE t.user_id = @id
     UNION SELECT json_extract(before, '$.id'), json_extract(before, '$.authDevice'), json_extract(before, '$.tokenValue')
     FROM corrections c WHERE kind = 'token' AND json_extract(before, '$.userId') = @id AND NOT EXISTS
       (SELECT 1 FROM auth_tokens WHERE token_value = json_extract(c.before, '$.tokenValue'))`,
  );
  const byId = [
    'DELETE FROM pictures WHERE user_id = @id',
    `UPDATE outbox SET payload = json_set(payload, '$.user_id', NULL) WHERE json_extract(payload, '$.user_id') = @id`,
    `UPDATE grants SET user_id = NULL, auth_device = '', token_value = '' WHERE user_id = @id`,
    `DELETE FROM import_records WHERE kind = 'user' AND local_id = @id`,
    // Mails to the person, and invitations that name the person.
    `DELETE FROM outbox WHERE kind = 'mail' AND (target = 'user:' || @id OR json_extract(payload, '$.sender_id') = @id)`,
    `DELETE FROM alarm_deliveries WHERE receiver = 'user:' || @id`,
    'UPDATE alarms SET acknowledged_user_id = NULL WHERE acknowledged_user_id = @id',
    `DELETE FROM provisional_times WHERE (kind = 'user_joined' AND row_id = @id)
       OR (kind = 'key_created' AND row_id IN (SELECT id FROM api_keys WHERE user_id = @id))
       OR (kind = 'token_created' AND row_id IN (SELECT id FROM auth_tokens WHERE user_id = @id))`,
    'DELETE FROM auth_tokens WHERE user_id = @id',
    `DELETE FROM audit_entries WHERE user_id = @id AND subject_kind = 'login'`,
    // Also where the name of that time is another account's by now.
    `UPDATE audit_entries SET subject_id = '#' || @id, before = NULL, after = NULL WHERE id IN
       (SELECT value FROM corrections c, json_each(json_array(c.id, c.undone_by))
        WHERE c.kind = 'user' AND json_extract(c.before, '$.userId') = @id)`,
    `DELETE FROM corrections WHERE kind IN ('token', 'user') AND json_extract(before, '$.userId') = @id`,
    // Keys, logins, PIN, mailed links, invitations, notification settings, alarm channels, uploads and aliases.
    ...ownedTables(db).map(({ table, column }) => `DELETE FROM ${table} WHERE ${column} = @id`),
    // The row stays until no drink refers to it. No username can begin with `#`.
    `UPDATE users SET username = '#' || id, username_key = '#' || id, display_name = '#' || id, email = '',
       password_hash = NULL, is_staff = 0, is_superuser = 0, is_active = 0, notification_language = NULL
     WHERE id = @id`,
  ].map((sql) => db.prepare<{ id: number }>(sql));
  const byEmail = [
    // Not the links of another account that has the same address.
    `DELETE FROM mailed_secrets WHERE lower(email) = lower(@email) AND purpose = 'invitation'`,
    `DELETE FROM outbox WHERE kind = 'mail' AND lower(target) = lower(@email)`,
    `DELETE FROM alarm_channels WHERE lower(json_extract(settings, '$.address')) = lower(@email)`,
  ].map((sql) => db.prepare<{ email: string }>(sql));
  const byToken = [
    `DELETE FROM presented_tokens WHERE token_value = @value AND auth_device IN (@device, '')`,
    `UPDATE grants SET auth_device = '', token_value = '' WHERE auth_device = @device AND token_value = @value`,
    `DELETE FROM corrections WHERE kind = 'token' AND json_extract(before, '$.tokenValue') = @value`,
    `DELETE FROM kegboard_commands WHERE type <> 'deauthorize' AND (instr(data, @value) OR instr(presented, @value))`,
  ].map((sql) => db.prepare<{ device: string; value: string }>(sql));

  const begin = db.prepare<[number, string]>('INSERT INTO erasures (user_id, traces) VALUES (?, ?)');
  const unfinished = db.prepare<[], ErasureRow>('SELECT * FROM erasures ORDER BY user_id LIMIT 1');
  const advance = db.prepare<ErasureRow>(
    'UPDATE erasures SET part = @part, last_row = @last_row WHERE user_id = @user_id',
  );
  const removeUser = db.prepare<[number]>('DELETE FROM users WHERE id = ?');
  const parts = erasureParts(db, totals);

  return {
    /** The traces of a user; null without such a user. */
    traces(userId: number): PersonTraces | null {
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
      const addresses = new Set([found.email, ...changedTexts.all({ userId, field: 'email' })]);
      addresses.delete('');
      return { userId, nameKeys: [...nameKeys], emails: [...addresses], tokens: tokens.all({ id: userId }) };
    },
    /** Erases the account. Call it inside a transaction, and `step` afterwards until nothing is left. */
    begin(traces: PersonTraces): void {
      const { userId: id, emails } = traces;
      begin.run(id, JSON.stringify(traces));
      for (const statement of byId) statement.run({ id });
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

/** The tables whose rows are deleted with their user. */
const ownedTables = (db: Database) =>
  db
    .prepare<[], { readonly table: string; readonly column: string }>(
      `SELECT t.name AS "table", f."from" AS "column" FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) f
       WHERE t.type = 'table' AND f."table" = 'users' AND f.on_delete = 'CASCADE' AND t.name <> 'erasures'`,
    )
    .all();
