import type { User } from '../core/ledger.ts';
import type { Database } from './database.ts';

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
}

/** Accounts. They are switched off, never deleted. */
export function usersTable(db: Database) {
  const byName = db.prepare<[string], UserRow>('SELECT * FROM users WHERE username = ?');
  const byId = db.prepare<[number], UserRow>('SELECT * FROM users WHERE id = ?');
  const ofSession = db.prepare<[number], UserRow>(
    'SELECT * FROM users WHERE id IN (SELECT user_id FROM drinks WHERE session_id = ?)',
  );
  const page = db.prepare<[number, number], UserRow>(
    'SELECT * FROM users WHERE id <= ? ORDER BY id DESC LIMIT ?',
  );
  const insert = db.prepare<Omit<UserRow, 'id'>, UserRow>(
    `INSERT INTO users (username, display_name, email, password_hash, is_staff, is_superuser, is_active, joined_time_ms)
     VALUES (@username, @display_name, @email, @password_hash, @is_staff, @is_superuser, @is_active, @joined_time_ms)
     RETURNING *`,
  );
  return {
    byName: (username: string): User | null => toUser(byName.get(username)),
    byId: (id: number): User | null => toUser(byId.get(id)),
    /** Everybody who has drunk at that gathering, each once. */
    ofSession: (sessionId: number): readonly User[] => ofSession.all(sessionId).map((row) => toUser(row)!),
    /** The newest accounts first, from id `from` downwards. */
    page: (from: number, limit: number): readonly User[] => page.all(from, limit).map((row) => toUser(row)!),
    passwordHash: (username: string): string | null => byName.get(username)?.password_hash ?? null,
    add: (user: Omit<User, 'id'> & { readonly passwordHash: string | null }): User =>
      toUser(
        insert.get({
          username: user.username,
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
  };
}
