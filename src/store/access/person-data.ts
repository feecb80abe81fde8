import type { PersonData } from '../shared/person-data.ts';

export const accessPersonData: PersonData = {
  deletes: ['auth_tokens.user_id'],
  cleans: [
    'grants.user_id',
    'grants.token_value',
    'presented_tokens.token_value',
    // With the row of the token.
    'auth_tokens.token_value',
    'token_forms.token_id',
    'token_forms.token_value',
  ],
  // Also deleted ones, unless there is a token of that value again.
  tokens: `SELECT id, auth_device AS device, token_value AS value FROM auth_tokens WHERE user_id = @id
     UNION SELECT t.id, f.auth_device, f.token_value FROM auth_tokens t JOIN token_forms f ON f.token_id = t.id WHERE t.user_id = @id
     UNION SELECT json_extract(before, '$.id'), json_extract(before, '$.authDevice'), json_extract(before, '$.tokenValue')
     FROM corrections c WHERE kind = 'token' AND json_extract(before, '$.userId') = @id AND NOT EXISTS
       (SELECT 1 FROM auth_tokens WHERE token_value = json_extract(c.before, '$.tokenValue'))`,
  byUser: [
    `UPDATE grants SET user_id = NULL, auth_device = '', token_value = '' WHERE user_id = @id`,
    `DELETE FROM provisional_times WHERE kind = 'token_created'
       AND row_id IN (SELECT id FROM auth_tokens WHERE user_id = @id)`,
    `DELETE FROM corrections WHERE kind = 'token' AND json_extract(before, '$.userId') = @id`,
  ],
  byToken: [
    `DELETE FROM presented_tokens WHERE token_value = @value AND auth_device IN (@device, '')`,
    `UPDATE grants SET auth_device = '', token_value = '' WHERE auth_device = @device AND token_value = @value`,
    `DELETE FROM corrections WHERE kind = 'token' AND json_extract(before, '$.tokenValue') = @value`,
  ],
};
