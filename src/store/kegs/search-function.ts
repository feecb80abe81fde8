import { matchesSearch } from '../../core/text/text-search.ts';
import type { Database } from '../database.ts';

/** Defines the SQL function `matches_search(text, search)` on this connection. SQLite compares no accents itself. */
export function defineSearchFunction(db: Database): void {
  db.function('matches_search', { deterministic: true }, (text, search) =>
    Number(matchesSearch(String(text), String(search))),
  );
}
