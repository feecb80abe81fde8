import { expect, test } from 'vitest';
import { at, openEmptyBar } from '../bar.ts';

test('pours are counted while a password is checked', async () => {
  const { engine } = openEmptyBar();
  let turns = 0;
  let isBusy = true;
  const countTurn = () => {
    turns += 1;
    if (isBusy) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  await engine.passwords.check('nobody', 'hop-garden');
  isBusy = false;
  expect(turns).toBeGreaterThan(100);
});

test('an account deactivated while its password is checked cannot log in', async () => {
  const { engine } = openEmptyBar();
  const password = await engine.passwords.hash('hop-garden');
  engine.users.addUser({ username: 'ana', password }, at(0));
  const actor = { userId: null, via: 'console' } as const;
  const checking = engine.passwords.check('ana', 'hop-garden');
  engine.accounts.change('ana', { isActive: false }, actor, at(0));
  expect(await checking).toBeNull();
});

test('a password changed meanwhile is not accepted', async () => {
  const { engine } = openEmptyBar();
  const [old, fresh] = [
    await engine.passwords.hash('hop-garden'),
    await engine.passwords.hash('malt-garden'),
  ];
  engine.users.addUser({ username: 'ana', password: old }, at(0));
  const actor = { userId: null, via: 'console' } as const;
  const checking = engine.passwords.check('ana', 'hop-garden');
  engine.accounts.setPassword('ana', fresh, { actor, now: at(0) });
  expect(await checking).toBeNull();
});
