import { toUsernameKey } from '../../core/rules/username-rules.ts';
import type { Database } from '../database.ts';
import { createTraceRemover, type PersonTraces } from './person-traces.ts';

/** Rows read at a time; statements cannot write while another one is being read. */
const batchSize = 500;

/**
 * Removes a person from every table. Each table that can hold a name, an address or a token of a person has a statement
 * here; `test/http/current/users/erase.test.ts` looks for what is missing.
 */
export function erasure(db: Database, totals: { moveToNobody(userId: number): void }) {
  const person = db.prepare<[number], { username_key: string; email: string }>(
    'SELECT username_key, email FROM users WHERE id = ?',
  );
  const aliasKeys = db
    .prepare<[number], string>('SELECT username_key FROM user_aliases WHERE user_id = ?')
    .pluck();
  const tokens = db.prepare<[number], { id: number; device: string; value: string }>(
    'SELECT id, auth_device AS device, token_value AS value FROM auth_tokens WHERE user_id = ?',
  );
  // Before the drinks lose their user. The files are deleted after the commit.
  const byId = [
    `DELETE FROM pictures WHERE user_id = @id OR drink_id IN (SELECT id FROM drinks WHERE user_id = @id)`,
    `UPDATE drinks SET user_id = NULL, shout = NULL, auth_token = NULL, claimed_username = NULL,
       claimed_username_key = NULL WHERE user_id = @id`,
    'UPDATE events SET user_id = NULL WHERE user_id = @id',
    `UPDATE outbox SET payload = json_set(payload, '$.user_id', NULL) WHERE json_extract(payload, '$.user_id') = @id`,
    `UPDATE grants SET user_id = NULL, auth_device = '', token_value = '' WHERE user_id = @id`,
    `DELETE FROM import_records WHERE kind = 'user' AND local_id = @id`,
    // Mails to the person, and invitations that name the person.
    `DELETE FROM outbox WHERE kind = 'mail' AND (target = 'user:' || @id OR json_extract(payload, '$.sender_id') = @id)`,
    `DELETE FROM provisional_times WHERE (kind = 'user_joined' AND row_id = @id)
       OR (kind = 'key_created' AND row_id IN (SELECT id FROM api_keys WHERE user_id = @id))
       OR (kind = 'token_created' AND row_id IN (SELECT id FROM auth_tokens WHERE user_id = @id))`,
    'DELETE FROM auth_tokens WHERE user_id = @id',
    // With keys, logins, PIN, mailed links, invitations, notification settings, uploads and aliases.
    'DELETE FROM users WHERE id = @id',
  ].map((sql) => db.prepare<{ id: number }>(sql));
  const byNames = db.prepare<[string]>(
    `UPDATE drinks SET claimed_username = NULL, claimed_username_key = NULL
     WHERE claimed_username_key IN (SELECT value FROM json_each(?))`,
  );
  const byEmail = [
    // Not the links of another account that has the same address.
    `DELETE FROM mailed_secrets WHERE lower(email) = lower(@email) AND purpose = 'invitation'`,
    `DELETE FROM outbox WHERE kind = 'mail' AND lower(target) = lower(@email)`,
  ].map((sql) => db.prepare<{ email: string }>(sql));
  const byTokenText = db.prepare<[string]>(
    `UPDATE drinks SET auth_token = NULL
     WHERE auth_token IS NOT NULL AND lower(auth_token) IN (SELECT value FROM json_each(?))`,
  );
  const byToken = [
    `DELETE FROM presented_tokens WHERE token_value = @value AND auth_device IN (@device, '')`,
    `UPDATE grants SET auth_device = '', token_value = '' WHERE auth_device = @device AND token_value = @value`,
    `DELETE FROM kegboard_commands WHERE type <> 'deauthorize' AND (instr(data, @value) OR instr(presented, @value))`,
  ].map((sql) => db.prepare<{ device: string; value: string }>(sql));
  const json = jsonStatements(db);

  return {
    /** The traces of a user, to be read before `erase`; null without such a user. */
    traces(userId: number): PersonTraces | null {
      const found = person.get(userId);
      return found === undefined
        ? null
        : {
            userId,
            nameKeys: new Set([found.username_key, ...aliasKeys.all(userId)]),
            email: found.email,
            tokens: tokens.all(userId),
          };
    },
    /** Call it inside a transaction. Drinks stay without a user, and totals stay equal to their sums. */
    erase(traces: PersonTraces): void {
      const { userId, nameKeys, email } = traces;
      const remover = createTraceRemover(traces);
      json.clean(remover);
      totals.moveToNobody(userId);
      for (const statement of byId) statement.run({ id: userId });
      byNames.run(JSON.stringify([...nameKeys]));
      if (email !== '') for (const statement of byEmail) statement.run({ email });
      byTokenText.run(JSON.stringify([...remover.tokenTexts]));
      for (const { device, value } of traces.tokens) {
        for (const statement of byToken) statement.run({ device, value });
      }
    },
  };
}

/** Statements for the tables that store JSON. */
function jsonStatements(db: Database) {
  /** Calls `change` for each row, in batches by rowid. */
  const eachRow = <R extends { id: number }>(sql: string, change: (row: R) => void) => {
    const page = db.prepare<[number, number], R>(`${sql} ORDER BY rowid LIMIT ?`);
    return () => {
      for (let last = 0; ; ) {
        const rows = page.all(last, batchSize);
        for (const row of rows) change(row);
        if (rows.length < batchSize) return;
        last = rows.at(-1)!.id;
      }
    };
  };
  let remover: ReturnType<typeof createTraceRemover>;

  const setAudit = db.prepare<AuditRow>(
    'UPDATE audit_entries SET subject_id = @subject_id, before = @before, after = @after WHERE id = @id',
  );
  const cleanAudit = eachRow<AuditRow>(
    'SELECT id, subject_kind, subject_id, before, after FROM audit_entries WHERE id > ?',
    (row) => {
      // What staff changed of the account contains names that it had.
      const isSubject = row.subject_kind === 'user' && remover.nameKeys.has(toUsernameKey(row.subject_id));
      const cleaned = isSubject
        ? { subject_id: remover.replacement, before: null, after: null }
        : { subject_id: row.subject_id, ...remover.cleanAudit(row) };
      if (isSubject || cleaned.before !== row.before || cleaned.after !== row.after)
        setAudit.run({ ...row, ...cleaned });
    },
  );

  const removeCancelledPicture = db.prepare<[string]>('DELETE FROM cancelled_pictures WHERE name = ?');
  const setCorrection = db.prepare<CorrectionRow>(
    'UPDATE corrections SET before = @before, after = @after WHERE id = @id',
  );
  const cleanCorrections = eachRow<CorrectionRow>(
    `SELECT id, before, after FROM corrections WHERE id > ? AND kind = 'rows'`,
    (row) => {
      const { before, after, pictures } = remover.cleanCorrection(row);
      for (const name of pictures) removeCancelledPicture.run(name);
      if (before !== row.before || after !== row.after) setCorrection.run({ id: row.id, before, after });
    },
  );

  const setCancelled = db.prepare<[string, number]>('UPDATE cancelled_pours SET drink = ? WHERE rowid = ?');
  const cleanCancelled = eachRow<{ id: number; text: string }>(
    'SELECT rowid AS id, drink AS text FROM cancelled_pours WHERE rowid > ?',
    ({ id, text }) => {
      const cleaned = remover.cleanCancelledDrink(text);
      if (cleaned !== text) setCancelled.run(cleaned, id);
    },
  );

  const setRefused = db.prepare<[string, number]>('UPDATE refused_pours SET event = ? WHERE id = ?');
  const cleanRefused = eachRow<{ id: number; text: string }>(
    'SELECT id, event AS text FROM refused_pours WHERE id > ?',
    ({ id, text }) => {
      const cleaned = remover.cleanText(text) ?? '{}';
      if (cleaned !== text) setRefused.run(cleaned, id);
    },
  );

  const removeMessage = db.prepare<[number]>('DELETE FROM outbox WHERE id = ?');
  // To an address that the person has not confirmed.
  const cleanMails = eachRow<{ id: number; text: string }>(
    `SELECT id, payload AS text FROM outbox WHERE id > ? AND kind = 'mail'`,
    ({ id, text }) => {
      if (remover.namesPerson(text)) removeMessage.run(id);
    },
  );

  return {
    clean(of: ReturnType<typeof createTraceRemover>): void {
      remover = of;
      for (const clean of [cleanAudit, cleanCorrections, cleanCancelled, cleanRefused, cleanMails]) clean();
    },
  };
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
