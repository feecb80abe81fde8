import type { User } from '../../core/records.ts';
import { toUsernameKey } from '../../core/users/username-rules.ts';
import type { Database } from '../database.ts';
import { preparePages, type Slice } from '../shared/slice.ts';

interface UserRow {
  id: number;
  username: string;
  display_name: string;
  email: string;
  password_hash: string | null;
  is_staff: number;
  is_superuser: number;
  is_active: number;
  joined_time_ms: number;
  notification_language: string | null;
  mugshot: string | null;
}

/** What `change` writes. */
type ChangedUser = Pick<
  User,
  'id' | 'displayName' | 'email' | 'isStaff' | 'isSuperuser' | 'isActive' | 'notificationLanguage'
>;

/** The highest role of an account. */
export type UserRole = 'member' | 'staff' | 'superuser';

/** Filter for accounts; an absent field matches all. */
export interface UserFilter {
  readonly isActive?: boolean;
  readonly isStaff?: boolean;
  readonly role?: UserRole;
  /** Part of the username by the form for comparison, or of the display name, case-insensitive for a to z. */
  readonly search?: string;
}

/** Not an account that is being erased. */
const isThere = 'id NOT IN (SELECT user_id FROM erasures)';

const filterCondition = `${isThere} AND (@isActive IS NULL OR is_active = @isActive) AND (@isStaff IS NULL OR is_staff = @isStaff)
  AND (@role IS NULL OR @role = CASE WHEN is_superuser THEN 'superuser' WHEN is_staff THEN 'staff' ELSE 'member' END)
  AND (@search IS NULL OR instr(username_key, @searchKey) OR instr(lower(display_name), lower(@search)))`;

type FilterParams = {
  isActive: number | null;
  isStaff: number | null;
  role: string | null;
  search: string | null;
  searchKey: string | null;
};

const select = 'SELECT *, (SELECT name FROM pictures WHERE user_id = users.id) AS mugshot FROM users';

/** More names than the accounts of any bar have. */
const maxNames = 100_000;

/** User accounts with their earlier names. */
export function usersTable(db: Database) {
  const byKey = db.prepare<[string], UserRow>(`${select} WHERE username_key = ? AND ${isThere}`);
  const byAlias = db.prepare<[string], UserRow>(
    `${select} WHERE id = (SELECT user_id FROM user_aliases WHERE username_key = ?)`,
  );
  const findByName = (username: string) => {
    const key = toUsernameKey(username);
    return byKey.get(key) ?? byAlias.get(key);
  };
  const aliases = db
    .prepare<[number], string>('SELECT username FROM user_aliases WHERE user_id = ? ORDER BY username_key')
    .pluck();
  const addAlias = db.prepare<[string, string, number]>(
    'INSERT INTO user_aliases (username_key, username, user_id) VALUES (?, ?, ?)',
  );
  const removeAlias = db.prepare<[string]>('DELETE FROM user_aliases WHERE username_key = ?');
  const rename = db.prepare<[string, string, number]>(
    'UPDATE users SET username = ?, username_key = ? WHERE id = ?',
  );
  const names = db.prepare<[], { readonly userId: number; readonly name: string }>(
    `SELECT id AS userId, username AS name FROM users WHERE ${isThere}
     UNION ALL SELECT id, display_name FROM users WHERE ${isThere} AND display_name <> username
     UNION ALL SELECT user_id, username FROM user_aliases LIMIT ${maxNames}`,
  );
  const byId = db.prepare<[number], UserRow>(`${select} WHERE id = ?`);
  const bySession = db.prepare<[number], UserRow>(
    `${select} WHERE id IN (SELECT user_id FROM drinks WHERE session_id = ?)`,
  );
  const insert = db.prepare<
    Omit<UserRow, 'id' | 'mugshot' | 'notification_language'> & { username_key: string },
    UserRow
  >(
    `INSERT INTO users (username, username_key, display_name, email, password_hash, is_staff, is_superuser, is_active, joined_time_ms)
     VALUES (@username, @username_key, @display_name, @email, @password_hash, @is_staff, @is_superuser, @is_active, @joined_time_ms)
     RETURNING *, NULL AS mugshot`,
  );
  const page = preparePages<UserRow>(db, { select, where: filterCondition });
  const count = db
    .prepare<FilterParams, number>(`SELECT count(*) FROM users WHERE ${filterCondition}`)
    .pluck();
  const change = db.prepare<
    Pick<
      UserRow,
      'id' | 'display_name' | 'email' | 'is_staff' | 'is_superuser' | 'is_active' | 'notification_language'
    >
  >(
    `UPDATE users SET display_name = @display_name, email = @email, is_staff = @is_staff,
       is_superuser = @is_superuser, is_active = @is_active, notification_language = @notification_language
     WHERE id = @id`,
  );
  const setPassword = db.prepare<[string, number]>('UPDATE users SET password_hash = ? WHERE id = ?');
  const activeByEmail = db.prepare<[string, number], UserRow>(
    `${select} WHERE lower(email) = lower(?) AND is_active ORDER BY id LIMIT ?`,
  );
  const activeStaff = db
    .prepare<[], number>('SELECT 1 FROM users WHERE is_active AND (is_staff OR is_superuser) LIMIT 1')
    .pluck();
  const otherSuperuser = db
    .prepare<[number], number>('SELECT 1 FROM users WHERE is_active AND is_superuser AND id <> ? LIMIT 1')
    .pluck();
  return {
    /** The account whose name, or earlier name, has the same form for comparison (`toUsernameKey`). */
    byName: (username: string): User | null => toUser(findByName(username)),
    byId: (id: number): User | null => toUser(byId.get(id)),
    /** The users with drinks in a session. */
    bySession: (sessionId: number): readonly User[] => bySession.all(sessionId).map((row) => toUser(row)!),
    /** The accounts that match the filter, newest first. They are few enough to be scanned. */
    page: (filter: UserFilter, slice: Slice): readonly User[] =>
      page(slice, toParams(filter)).map((row) => toUser(row)!),
    count: (filter: UserFilter): number => count.get(toParams(filter))!,
    /** Usernames, display names and earlier names of all accounts. */
    names: (): readonly { readonly userId: number; readonly name: string }[] => names.all(),
    /** Earlier names of an account, without its present one. */
    aliases: (id: number): readonly string[] => aliases.all(id),
    /** Gives an account another name besides its present one, which no account may have or have had. */
    addAlias: (id: number, username: string): void =>
      void addAlias.run(toUsernameKey(username), username, id),
    /** Removes an earlier name, and returns it as it was written; null if the account does not have it. */
    removeAlias(id: number, username: string): string | null {
      const key = toUsernameKey(username);
      const alias = aliases.all(id).find((one) => toUsernameKey(one) === key) ?? null;
      if (alias !== null) removeAlias.run(key);
      return alias;
    },
    /** Gives an account another name, which no other account may have or have had; the present one becomes an alias. */
    rename({ id, username: before }: Pick<User, 'id' | 'username'>, username: string): void {
      const [keyBefore, key] = [toUsernameKey(before), toUsernameKey(username)];
      removeAlias.run(key);
      rename.run(username, key, id);
      if (keyBefore !== key) addAlias.run(keyBefore, before, id);
    },
    /** Writes display name, address, rights and language of mails. */
    change: ({
      id,
      displayName,
      email,
      isStaff,
      isSuperuser,
      isActive,
      notificationLanguage,
    }: ChangedUser): void =>
      void change.run({
        id,
        display_name: displayName,
        email,
        is_staff: Number(isStaff),
        is_superuser: Number(isSuperuser),
        is_active: Number(isActive),
        notification_language: notificationLanguage,
      }),
    setPassword: (id: number, passwordHash: string): void => void setPassword.run(passwordHash, id),
    /** Active accounts with that address; case-insensitive for the letters a to z. */
    activeByEmail: (email: string, limit: number): readonly User[] =>
      activeByEmail.all(email, limit).map((row) => toUser(row)!),
    /** Whether a superuser other than this one is active. */
    hasOtherSuperuser: (id: number): boolean => otherSuperuser.get(id) !== undefined,
    hasActiveStaff: (): boolean => activeStaff.get() !== undefined,
    passwordHash: (username: string): string | null => findByName(username)?.password_hash ?? null,
    add: (
      user: Omit<User, 'id' | 'mugshot' | 'notificationLanguage'> & { readonly passwordHash: string | null },
    ): User =>
      toUser(
        insert.get({
          username: user.username,
          username_key: toUsernameKey(user.username),
          display_name: user.displayName,
          email: user.email,
          password_hash: user.passwordHash,
          is_staff: Number(user.isStaff),
          is_superuser: Number(user.isSuperuser),
          is_active: Number(user.isActive),
          joined_time_ms: user.joinedTimeMs,
        }),
      )!,
  };
}

const toParams = ({ isActive, isStaff, role, search }: UserFilter): FilterParams => ({
  isActive: isActive === undefined ? null : Number(isActive),
  isStaff: isStaff === undefined ? null : Number(isStaff),
  role: role ?? null,
  search: search ?? null,
  // Every text contains the empty one.
  searchKey: toUsernameKey(search ?? '') || null,
});

function toUser(row: UserRow | undefined): User | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    username: row.username,
    displayName: row.display_name,
    email: row.email,
    isStaff: row.is_staff === 1,
    isSuperuser: row.is_superuser === 1,
    isActive: row.is_active === 1,
    joinedTimeMs: row.joined_time_ms,
    mugshot: row.mugshot,
    notificationLanguage: row.notification_language,
  };
}
