import type { PersonData } from '../shared/person-data.ts';

export const usersPersonData: PersonData = {
  deletes: [
    'api_keys.user_id',
    'logins.user_id',
    'pins.user_id',
    'mailed_secrets.user_id',
    'user_aliases.user_id',
  ],
  forgets: ['tablets.enrolled_by'],
  cleans: [
    'users.username',
    'users.username_key',
    'users.email',
    'mailed_secrets.email',
    // With the rows above.
    'api_keys.last_used_address',
    'logins.data',
    'logins.token_hash',
    'user_aliases.username',
    'user_aliases.username_key',
    // Deleted with the row of the account, when nothing is left.
    'erasures.user_id',
    'erasures.traces',
  ],
  others: { 'tablets.token_hash': 'the secret of a tablet' },
  byUser: [
    `DELETE FROM provisional_times WHERE (kind = 'user_joined' AND row_id = @id)
       OR (kind = 'key_created' AND row_id IN (SELECT id FROM api_keys WHERE user_id = @id))`,
    `DELETE FROM audit_entries WHERE user_id = @id AND subject_kind = 'login'`,
    // Changes of the account, also where the name of that time is another account's by now.
    `UPDATE audit_entries SET subject_id = '#' || @id, before = NULL, after = NULL WHERE id IN
       (SELECT value FROM corrections c, json_each(json_array(c.id, c.undone_by))
        WHERE c.kind = 'user' AND json_extract(c.before, '$.userId') = @id)`,
    `DELETE FROM corrections WHERE kind = 'user' AND json_extract(before, '$.userId') = @id`,
  ],
  // Not the links of another account that has the same address.
  byEmail: [`DELETE FROM mailed_secrets WHERE lower(email) = lower(@email) AND purpose = 'invitation'`],
};
