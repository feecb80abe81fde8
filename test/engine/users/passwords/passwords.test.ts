import { expect, test } from 'vitest';
import type { AppError } from '../../../../src/core/app-error.ts';
import { createEngine } from '../../../../src/engine/create-engine.ts';
import { hashPassword } from '../../../../src/engine/users/secrets.ts';
import { at, openEmptyBar } from '../../bar.ts';

test('a new password and a new PIN have the full cost unless a test asks for less', async () => {
  const { store, bus } = openEmptyBar();
  const settings = { maxFlowMlPerS: 200 };
  const { users } = createEngine({ store, bus, ids: { next: () => 'id' }, settings });
  for (const hashed of [await users.passwords.hash('hop-garden'), await users.pins.hash('4719')]) {
    expect(hashed).toMatch(/^scrypt\$15\$8\$1\$/);
  }
});

test('pours are counted while a password is checked', async () => {
  const { engine } = openEmptyBar(':memory:', { passwordLogN: 15 });
  let turns = 0;
  let isBusy = true;
  const countTurn = () => {
    turns += 1;
    if (isBusy) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  await engine.users.passwords.check('nobody', 'hop-garden');
  isBusy = false;
  expect(turns).toBeGreaterThan(100);
});

test('an account deactivated while its password is checked cannot log in', async () => {
  const { engine } = openEmptyBar();
  const password = await engine.users.passwords.hash('hop-garden');
  engine.users.addUser({ username: 'ana', password }, at(0));
  const actor = { userId: null, via: 'console' } as const;
  const checking = engine.users.passwords.check('ana', 'hop-garden');
  engine.users.accounts.change('ana', { isActive: false }, actor, at(0));
  expect(await checking).toBeNull();
});

test('a password changed meanwhile is not accepted', async () => {
  const { engine } = openEmptyBar();
  const [old, fresh] = [
    await engine.users.passwords.hash('hop-garden'),
    await engine.users.passwords.hash('malt-garden'),
  ];
  engine.users.addUser({ username: 'ana', password: old }, at(0));
  const actor = { userId: null, via: 'console' } as const;
  const checking = engine.users.passwords.check('ana', 'hop-garden');
  engine.users.accounts.setPassword('ana', fresh, { actor, now: at(0) });
  expect(await checking).toBeNull();
});

const ruleOf = (password: string, field?: string) =>
  openEmptyBar()
    .engine.users.passwords.hash(password, field)
    .then(
      () => null,
      (fault: AppError) => Object.entries(fault.rules!).map(([name, rule]) => `${name}: ${rule.name}`)[0],
    );

test.each([
  ['12345678', 'text_from_to'],
  ['password', 'text_from_to'],
  ['        ', 'not_blank'],
  ['qwertyuiop', 'password_in_a_row'],
  ['basketball', 'password_common'],
  ['Password123', 'password_common'],
  ['ＰＡＳＳＷＯＲＤ１２３', 'password_common'],
  ['ILoveYou123', 'password_common'],
  ['Password1!', 'password_common'],
  ['pass word 123', 'password_common'],
  // Eight characters and two marks are the shortest of these that are long enough.
  ['!iloveyou!', 'password_common'],
  // The most common words with what people add when a form asks for more.
  ['password2026', 'password_common'],
  ['P@ssw0rd123', 'password_common'],
  ['Welcome2024!', 'password_common'],
  ['2024$ummer!!', 'password_common'],
  ['changeme123', 'password_common'],
])('the new password %j is refused: %s', async (password, rule) => {
  expect(await ruleOf(password)).toBe(`password: ${rule}`);
  expect(await ruleOf(password, 'new_password')).toBe(`new_password: ${rule}`);
});

test.each([
  'hop-garden',
  'drei Biere im Garten',
  'пивной-сад-7',
  '生ビール三杯とやきとり',
  'Tr0ub4dor&3',
  'dragon 7 lamp',
  'ana1234567',
])('the new password %j is accepted', async (password) => expect(await ruleOf(password)).toBeNull());

test('a password that was allowed once still logs in', async () => {
  const { engine } = openEmptyBar();
  engine.users.addUser({ username: 'ana', password: await hashPassword('12345678') }, at(0));
  expect((await engine.users.passwords.check('ana', '12345678'))?.username).toBe('ana');
});
