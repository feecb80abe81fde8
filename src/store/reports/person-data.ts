import type { Database } from '../database.ts';
import { type ErasurePart, eachRow, emptyUser, type PersonData } from '../shared/person-data.ts';
import type { TraceFinder } from '../shared/person-traces.ts';

export const reportsPersonData: PersonData = {
  deletes: ['report_readers.user_id'],
  cleans: [
    'audit_entries.user_id',
    'audit_entries.subject_id',
    'audit_entries.before',
    'audit_entries.after',
  ],
  parts: (db) => [auditTexts(db), emptyUser(db, 'audit_entries')],
};

const entriesPerStep = 1_000;

/** Properties of entries that people write. */
const freeTexts = new Set(['shout', 'niceName']);

interface Entry {
  readonly id: number;
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Names, addresses and tokens in the audit log. */
function auditTexts(db: Database): ErasurePart {
  const set = db.prepare<Entry>(
    'UPDATE audit_entries SET subject_id = @subject_id, before = @before, after = @after WHERE id = @id',
  );
  return eachRow<Entry>(
    db,
    'SELECT id, subject_kind, subject_id, before, after FROM audit_entries WHERE id > ?',
    (entry, finder) => {
      const cleaned = cleanEntry(entry, finder);
      if (cleaned !== null) set.run({ ...entry, ...cleaned });
    },
    entriesPerStep,
  );
}

/** What changes in an entry; null when it does not name the person. */
function cleanEntry(entry: Entry, { isName, isTokenId, replacement, cleanText }: TraceFinder) {
  const { subject_kind: kind, subject_id: id } = entry;
  // What staff changed of the account contains names that it had.
  if (kind === 'user' && isName(id)) return { subject_id: replacement, before: null, after: null };
  const [before, after] = [cleanText(entry.before), cleanText(entry.after)];
  const isNamed = before !== entry.before || after !== entry.after || (kind === 'token' && isTokenId(id));
  // Comments and names of tokens go with the person whom the entry names.
  return isNamed ? { before: withoutTexts(before), after: withoutTexts(after) } : null;
}

const withoutTexts = (json: string | null): string | null =>
  json && JSON.stringify(JSON.parse(json, (key, value: unknown) => (freeTexts.has(key) ? null : value)));
