import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/shared/audit.ts';
import { hashPassword } from '../../../../src/engine/users/secrets.ts';
import { at, openEmptyBar } from '../../bar.ts';

const password = await hashPassword('hop-garden', 4);

/** Ends the keys of a user by a new password; returns what the audit log says of them. */
function endKeysOf(descriptions: readonly string[]) {
  const { engine } = openEmptyBar();
  const context = { actor: systemActor, now: at(0) };
  engine.users.addUser({ username: 'bert' }, at(0));
  const user = engine.users.user('bert')!;
  for (const description of descriptions) engine.users.ownKeys.create(user, { description }, context);
  engine.users.accounts.setPassword('bert', password, context);
  expect(engine.users.ownKeys.list(user.id, {}).total).toBe(0);
  return engine.audit.list({ action: 'user.keys_ended' }).items.map(({ before }) => JSON.parse(before!));
}

test('one audit entry names the ended keys, the newest first; those without a description are counted only', () => {
  expect(endKeysOf(['Till', '', 'Tablet'])).toMatchObject([{ count: 3, niceName: 'Tablet, Till' }]);
  expect(endKeysOf([''])).toMatchObject([{ count: 1, niceName: '' }]);
});

test('of a long description its first 32 characters tell the key', () => {
  expect(endKeysOf(['x'.repeat(256)])).toMatchObject([{ niceName: 'x'.repeat(32) }]);
});

test('an account without keys has no such entry', () => {
  expect(endKeysOf([])).toEqual([]);
});
