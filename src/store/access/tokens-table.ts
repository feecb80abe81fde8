import type { AuthToken } from '../../core/records.ts';
import type { Database } from '../database.ts';
import { preparePages, type Slice } from '../shared/slice.ts';

/** The writable fields of a token; `pin` may be empty. */
export interface TokenFields {
  readonly authDevice: string;
  readonly tokenValue: string;
  readonly niceName: string;
  readonly pin: string;
  readonly userId: number | null;
  readonly enabled: boolean;
  readonly expireTimeMs: number | null;
}

/** What a token can do: an `assigned` one opens taps, unless its owner is inactive. */
export type TokenState = 'assigned' | 'unassigned' | 'disabled' | 'expired';

/** A token as it is stored, to create it again. */
export interface TokenImage extends TokenFields {
  readonly id: number;
  readonly createdTimeMs: number;
  readonly otherValues: readonly string[];
}

/** Filter for tokens; an absent field matches all. */
export interface TokenFilter {
  readonly authDevice?: string;
  readonly enabled?: boolean;
  readonly userId?: number;
  readonly state?: TokenState;
  /** The time at which `state` is asked for, Unix milliseconds; 0 unless given. */
  readonly nowMs?: number;
  /** Part of value, name or username, case-insensitive. */
  readonly search?: string;
}

interface TokenRow {
  id: number;
  auth_device: string;
  token_value: string;
  /** JSON list. */
  other_values: string;
  nice_name: string;
  has_pin: number;
  username: string | null;
  enabled: number;
  created_time_ms: number;
  expire_time_ms: number | null;
  last_time_ms: number | null;
  device: string | null;
}

function formList(id: string): string {
  return `(SELECT json_group_array(token_value) FROM (SELECT token_value FROM token_forms WHERE token_id = ${id} ORDER BY id))`;
}

// A controller may send the value alone. The newest id is the latest presentment.
const select = `SELECT t.id, t.auth_device, t.token_value, t.nice_name, t.pin <> '' AS has_pin, u.username, t.enabled, t.created_time_ms,
    t.expire_time_ms, p.last_time_ms, p.device, ${formList('t.id')} AS other_values
  FROM auth_tokens t LEFT JOIN users u ON u.id = t.user_id LEFT JOIN presented_tokens p ON p.id =
    (SELECT max(s.id) FROM presented_tokens s WHERE s.auth_device IN (t.auth_device, '') AND s.token_value IN
      (SELECT t.token_value UNION ALL SELECT f.token_value FROM token_forms f WHERE f.token_id = t.id))`;

/** The first of these that is true. */
const stateColumn = `CASE WHEN NOT t.enabled THEN 'disabled' WHEN t.expire_time_ms <= @nowMs THEN 'expired'
    WHEN t.user_id IS NULL THEN 'unassigned' ELSE 'assigned' END`;

/** Auth tokens: cards and iButtons. */
export function tokensTable(db: Database) {
  const byId = db.prepare<[number], TokenRow>(`${select} WHERE t.id = ?`);
  const exact = db.prepare<[string, string], TokenRow>(
    `${select} WHERE t.auth_device = ? AND t.token_value = ?`,
  );
  const byForm = db.prepare<[string, string], TokenRow>(
    `${select} WHERE t.id = (SELECT f.token_id FROM token_forms f WHERE f.auth_device = ? AND f.token_value = ?)`,
  );
  const similar = db.prepare<{ device: string; ends: string; limit: number }, TokenRow>(
    `${select} WHERE t.auth_device = @device AND substr(t.token_value, -8) IN (SELECT value FROM json_each(@ends))
     ORDER BY t.id LIMIT @limit`,
  );
  const dotted = db.prepare<[string], TokenRow>(
    `${select} WHERE t.auth_device || '.' || t.token_value = ? ORDER BY t.id LIMIT 1`,
  );
  const byValue = db.prepare<{ value: string }, TokenRow>(`${select} WHERE t.id IN
    (SELECT id FROM auth_tokens WHERE token_value = @value UNION SELECT token_id FROM token_forms WHERE token_value = @value)
    ORDER BY t.id LIMIT 2`);
  // A bar has as many tokens as guests: a search scans all of them and stops when the page is full.
  const filterCondition = `(@authDevice IS NULL OR t.auth_device = @authDevice) AND (@enabled IS NULL OR t.enabled = @enabled)
    AND (@userId IS NULL OR t.user_id = @userId) AND (@state IS NULL OR @state = ${stateColumn}) AND (@search IS NULL
      OR instr(lower(t.token_value || char(10) || t.nice_name || char(10) || coalesce(u.username, '')), @search) > 0)`;
  const page = preparePages<TokenRow>(db, { select, where: filterCondition, id: 't.id' });
  const count = db
    .prepare<FilterParams, number>(
      `SELECT count(*) FROM auth_tokens t LEFT JOIN users u ON u.id = t.user_id WHERE ${filterCondition}`,
    )
    .pluck();
  const insert = db
    .prepare<Omit<TokenFields, 'enabled'> & { enabled: number; createdTimeMs: number }, number>(
      `INSERT INTO auth_tokens (auth_device, token_value, nice_name, pin, user_id, enabled, created_time_ms,
         expire_time_ms)
       VALUES (@authDevice, @tokenValue, @niceName, @pin, @userId, @enabled, @createdTimeMs, @expireTimeMs)
       RETURNING id`,
    )
    .pluck();
  const restore = db.prepare<Omit<TokenImage, 'enabled' | 'otherValues'> & { enabled: number }>(
    `INSERT INTO auth_tokens (id, auth_device, token_value, nice_name, pin, user_id, enabled, created_time_ms, expire_time_ms)
     VALUES (@id, @authDevice, @tokenValue, @niceName, @pin, @userId, @enabled, @createdTimeMs, @expireTimeMs)`,
  );
  const fields = db.prepare<[number], FieldsRow>(
    `SELECT *, ${formList('auth_tokens.id')} AS other_values FROM auth_tokens WHERE id = ?`,
  );
  const removeForms = db.prepare<[number]>('DELETE FROM token_forms WHERE token_id = ?');
  const addForm = db.prepare<{ id: number; value: string }>(
    `INSERT OR IGNORE INTO token_forms (token_id, auth_device, token_value)
     SELECT id, auth_device, @value FROM auth_tokens WHERE id = @id`,
  );
  const setForms = (id: number, values: readonly string[]): void => {
    removeForms.run(id);
    for (const value of values) addForm.run({ id, value });
  };
  const change = db.prepare<Omit<TokenFields, 'enabled'> & { enabled: number; id: number }>(
    `UPDATE auth_tokens SET auth_device = @authDevice, token_value = @tokenValue, nice_name = @niceName, pin = @pin,
       user_id = @userId, enabled = @enabled, expire_time_ms = @expireTimeMs WHERE id = @id`,
  );
  const remove = db.prepare<[number]>('DELETE FROM auth_tokens WHERE id = ?');
  return {
    /** By its value or another form of it. */
    find: (device: string, value: string): AuthToken | null =>
      toToken(exact.get(device, value) ?? byForm.get(device, value)),
    /** The tokens of a device whose values end like one of these, the oldest first. */
    similar: (device: string, values: readonly string[], limit: number): readonly AuthToken[] =>
      similar
        .all({ device, ends: JSON.stringify(values.map((value) => value.slice(-8))), limit })
        .map((row) => toToken(row)!),
    /** By `<device>.<value>`. */
    findDotted: (text: string): AuthToken | null => toToken(dotted.get(text)),
    /** At most two tokens of that value on any device: two mean that the value is ambiguous. */
    findByValue: (value: string): readonly AuthToken[] => byValue.all({ value }).map((row) => toToken(row)!),
    byId: (id: number): AuthToken | null => toToken(byId.get(id)),
    /** The tokens that match the filter, newest first. */
    page: (filter: TokenFilter, slice: Slice): readonly AuthToken[] =>
      page(slice, toParams(filter)).map((row) => toToken(row)!),
    count: (filter: TokenFilter): number => count.get(toParams(filter))!,
    add: (token: TokenFields & { readonly createdTimeMs: number }): AuthToken =>
      toToken(byId.get(insert.get({ ...token, enabled: Number(token.enabled) })!))!,
    /** The writable fields, including the PIN. */
    fields(id: number): TokenFields | null {
      const row = fields.get(id);
      return row === undefined ? null : toFields(row);
    },
    /** All that is stored of a token, including the PIN. */
    image(id: number): TokenImage | null {
      const row = fields.get(id);
      return row === undefined
        ? null
        : { ...toFields(row), id, createdTimeMs: row.created_time_ms, otherValues: toList(row.other_values) };
    },
    /** Creates a removed token again, with its id. */
    restore({ otherValues, ...token }: TokenImage): void {
      restore.run({ ...token, enabled: Number(token.enabled) });
      setForms(token.id, otherValues);
    },
    /** Replaces the other forms of a token, which are of its device. */
    setForms,
    change: (id: number, token: TokenFields): void =>
      void change.run({ ...token, enabled: Number(token.enabled), id }),
    remove: (id: number): void => void remove.run(id),
  };
}

type FilterParams = {
  authDevice: string | null;
  enabled: number | null;
  userId: number | null;
  state: string | null;
  nowMs: number;
  search: string | null;
};

const toParams = ({ authDevice, enabled, userId, state, nowMs, search }: TokenFilter): FilterParams => ({
  authDevice: authDevice ?? null,
  enabled: enabled === undefined ? null : Number(enabled),
  userId: userId ?? null,
  state: state ?? null,
  nowMs: nowMs ?? 0,
  search: search?.toLowerCase() ?? null,
});

interface FieldsRow {
  auth_device: string;
  token_value: string;
  nice_name: string;
  pin: string;
  user_id: number | null;
  enabled: number;
  created_time_ms: number;
  expire_time_ms: number | null;
  other_values: string;
}

const toList = (json: string): readonly string[] => JSON.parse(json) as string[];

const toFields = (row: FieldsRow): TokenFields => ({
  authDevice: row.auth_device,
  tokenValue: row.token_value,
  niceName: row.nice_name,
  pin: row.pin,
  userId: row.user_id,
  enabled: row.enabled === 1,
  expireTimeMs: row.expire_time_ms,
});

function toToken(row: TokenRow | undefined): AuthToken | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    authDevice: row.auth_device,
    tokenValue: row.token_value,
    otherValues: toList(row.other_values),
    niceName: row.nice_name,
    hasPin: row.has_pin === 1,
    username: row.username,
    enabled: row.enabled === 1,
    createdTimeMs: row.created_time_ms,
    expireTimeMs: row.expire_time_ms,
    lastSeen: row.last_time_ms === null ? null : { timeMs: row.last_time_ms, device: row.device! },
  };
}
