import { beforeEach, expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { hashPassword } from '../../../../src/engine/users/secrets.ts';
import { at, openEmptyBar } from '../../bar.ts';

const password = await hashPassword('hop-garden', 4);
let bar: ReturnType<typeof openEmptyBar>;

/** Anna, who was called ann, is shown as “Anna Hops”. */
beforeEach(() => {
  bar = openEmptyBar();
  const { users } = bar.engine;
  const { accounts } = bar.engine.users;
  users.addUser({ username: 'ann', displayName: 'Anna Hops' }, at(0));
  accounts.change('ann', { username: 'anna' }, systemActor, at(0));
  users.addUser({ username: 'bert' }, at(0));
});

const bert = () => bar.engine.users.user('bert')!;
const staffInput = { email: '', isStaff: false, actor: systemActor, siteUrl: null };

/** Ways to get a name, and the field that is refused. */
const ways: Readonly<Record<string, readonly [field: string, give: (name: string) => unknown]>> = {
  'added at the console': [
    'display_name',
    (displayName) => bar.engine.users.addUser({ username: 'cleo', displayName }, at(0)),
  ],
  'added by staff': [
    'display_name',
    (displayName) =>
      bar.engine.users.registration.addByStaff({ ...staffInput, username: 'cleo', displayName }, at(0)),
  ],
  'changed by staff': [
    'display_name',
    (displayName) => bar.engine.users.accounts.change('bert', { displayName }, systemActor, at(0)),
  ],
  'changed by the owner': [
    'display_name',
    (displayName) => bar.engine.users.accounts.changeOwn(bert(), { displayName }, systemActor, at(0)),
  ],
};

const imitations = ['Anna Hops', 'ANNA  HOPS', 'Аnna Hоps', 'anna', 'Ann', 'A.n.n.a', 'ＡＮＮＡ'];

test.each(Object.entries(ways))('a display name %s is not that of another user', (_way, [field, give]) => {
  for (const name of imitations) {
    expect(() => give(name), name).toThrow(
      expect.objectContaining({ code: 'invalid_request', rules: { [field]: { name: 'looks_like_other' } } }),
    );
  }
  expect(() => give('Anna Malt')).not.toThrow();
});

test('a username is neither a display name of another user nor looks like one', () => {
  const { users } = bar.engine;
  const { accounts, registration, setup } = bar.engine.users;
  const refused = expect.objectContaining({ rules: { username: { name: 'looks_like_other' } } });
  for (const username of ['annahops', 'AnnaHops', 'anna.hops']) {
    expect(() => users.addUser({ username, displayName: 'Cleo' }, at(0))).toThrow(refused);
    expect(() => accounts.change('bert', { username }, systemActor, at(0))).toThrow(refused);
    expect(() => users.addAlias(bert(), username, systemActor, at(0))).toThrow(refused);
    expect(() => setup.admin({ username, password }, at(0))).toThrow(refused);
    bar.engine.users.changeSite({ registrationMode: 'public' });
    expect(() => registration.register({ username, email: 'c@example.org', password }, at(0))).toThrow(
      refused,
    );
  }
});

test('names that are alike already may stay, and one’s own names may be alike', () => {
  const { store, engine } = bar;
  store.transaction(() => store.users.change({ ...bert(), displayName: 'Anna Hops' }));
  engine.users.accounts.change('bert', { isStaff: true }, systemActor, at(0));
  engine.users.accounts.change('anna', { displayName: 'ANNA' }, systemActor, at(0));
  expect(engine.users.user('anna')!.displayName).toBe('ANNA');
});

test('an undo does not give a name back that somebody else has by now', () => {
  const { corrections } = bar.engine;
  const { accounts } = bar.engine.users;
  const { correctionId } = accounts.change('anna', { displayName: 'Anna Malt' }, systemActor, at(0));
  accounts.change('bert', { displayName: 'Anna Hops' }, systemActor, at(1));
  const undo = () => corrections.undo(correctionId!, { actor: systemActor }, at(2));
  expect(undo).toThrow(expect.objectContaining({ reason: { name: 'name_taken_since' } }));
});
