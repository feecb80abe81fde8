import { beforeEach, expect, test } from 'vitest';
import { maxWrongPins } from '../../../src/core/users/pin-rules.ts';
import { type Tablet, toActor } from '../../../src/engine/engine.ts';
import { hashPassword } from '../../../src/engine/users/secrets.ts';
import { at, minute, openEmptyBar } from '../bar.ts';

let bar: ReturnType<typeof openEmptyBar>;
let tablet: Tablet;

const pin = '4719';
const [hashOfAna, hashOfOthers] = [await hashPassword(pin, 4), await hashPassword('8264', 4)];

beforeEach(() => {
  bar = openEmptyBar();
  for (const username of ['ana', 'cleo']) bar.engine.users.addUser({ username, isStaff: true }, at(0));
  bar.engine.users.addUser({ username: 'dora', isSuperuser: true }, at(0));
  bar.engine.users.addUser({ username: 'bob' }, at(0));
  tablet = enrol('Bar left');
  setPin('ana', hashOfAna);
});

const user = (username: string) => bar.engine.users.user(username)!;
const enrol = (name: string) =>
  bar.engine.users.tablets.enrol(name, toActor(user('cleo'), 'page'), at(0)).tablet;

const setPin = (username: string, hashed = hashOfOthers) =>
  bar.engine.users.pins.set(user(username), hashed, toActor(user(username), 'page'), at(0));

const check = (username: string, typed: string, now = at(0), where = tablet) =>
  bar.engine.users.pins.check(where, { username, pin: typed }, now);

/** Result: a name, or the code of the error. */
const error = (username: string, typed: string, now = at(0), where = tablet) =>
  check(username, typed, now, where).then(
    (right) => right.user.username,
    ({ code }: { code: string }) => code,
  );

/** So many wrong PINs, each after the pauses of the earlier ones. Returns the time of the last one. */
async function guess(times: number, from = 0): Promise<number> {
  let ms = from;
  for (let i = 0; i < times; i++) {
    ms += 20 * minute;
    expect(await error('ana', '0471', at(ms))).toBe('invalid_request');
  }
  return ms;
}

test('a PIN belongs to its user, and the database does not contain it', async () => {
  expect(await error('ana', pin)).toBe('ana');
  const { hash } = bar.store.users.pins.byUser(user('ana').id)!;
  expect(hash).toMatch(/^scrypt\$4\$8\$1\$/);
  expect(await bar.engine.users.pins.hash(pin)).not.toBe(hash);
  expect(JSON.stringify(bar.engine.audit.list({}).items)).not.toContain(pin);
});

test('a wrong PIN, an unknown name and a name without a PIN give the same error', async () => {
  const faults = [];
  for (const [name, typed] of [
    ['ana', '4718'],
    ['ana', '47190'],
    ['nobody', pin],
    ['cleo', pin],
  ] as const) {
    faults.push(await check(name, typed).catch(({ code, message }) => ({ code, message })));
  }
  expect(new Set(faults.map((fault) => JSON.stringify(fault))).size).toBe(1);
  expect(faults[0]).toMatchObject({ code: 'invalid_request' });
});

test('an easily guessed PIN is refused with the reason', async () => {
  for (const obvious of ['0000', '1234', '2026']) {
    await expect(bar.engine.users.pins.hash(obvious)).rejects.toMatchObject({
      code: 'invalid_request',
      fields: { pin: expect.stringContaining('must not') },
    });
  }
  await expect(bar.engine.users.pins.hash('123')).rejects.toMatchObject({
    fields: { pin: 'must be 4 to 8 digits' },
  });
});

test('a PIN of a non-staff or inactive user is not accepted', async () => {
  setPin('bob');
  expect(await error('bob', '8264')).toBe('invalid_request');
  const { accounts } = bar.engine.users;
  accounts.change('ana', { isActive: false }, toActor(user('dora'), 'page'), at(0));
  expect(await error('ana', pin)).toBe('invalid_request');
  expect(bar.engine.users.pins.owners()).toEqual([]);
});

test('after five wrong PINs the tablet pauses for everybody, and says for how long', async () => {
  setPin('cleo');
  for (let i = 0; i < 5; i++) expect(await error('nobody', pin)).toBe('invalid_request');
  await expect(check('cleo', '8264')).rejects.toMatchObject({ code: 'too_many', retryAfterS: 30 });
  await expect(check('cleo', '8264', at(29_500))).rejects.toMatchObject({ retryAfterS: 1 });
  expect(await error('cleo', '8264', at(0), enrol('Bar right'))).toBe('cleo');
  expect(await error('cleo', '8264', at(30_000))).toBe('cleo');
});

test('setting the clock shortens no pause', async () => {
  for (let i = 0; i < 5; i++) await error('nobody', pin);
  expect(await error('ana', pin, at(1_000, { wallMs: at(0).wallMs + 60 * minute }))).toBe('too_many');
});

test('wrong PINs on several tablets pause the account', async () => {
  for (let i = 0; i < 5; i++) {
    expect(await error('ana', '0471', at(0), enrol(`Tablet ${i}`))).toBe('invalid_request');
  }
  expect(await error('ana', pin, at(0), enrol('One more'))).toBe('too_many');
});

test('parallel attempts do not avoid the pause', async () => {
  const guesses = await Promise.all(Array.from({ length: 12 }, () => error('ana', '0471')));
  expect(guesses.filter((answer) => answer === 'invalid_request')).toHaveLength(5);
  expect(guesses.filter((answer) => answer === 'too_many')).toHaveLength(7);
});

test('the correct PIN returns the number of wrong ones before it', async () => {
  const ms = await guess(3);
  expect(await check('ana', pin, at(ms + 20 * minute))).toMatchObject({ failuresBefore: 3 });
  expect(await check('ana', pin, at(ms + 20 * minute))).toMatchObject({ failuresBefore: 0 });
});

test('too many wrong PINs, over any days and restarts, lock the PIN until a login by password', async () => {
  const ms = await guess(maxWrongPins);
  const later = at(ms + 60 * minute);
  expect(await error('ana', pin, later)).toBe('not_allowed');
  expect(bar.engine.users.pins.of(user('ana'))).toEqual({ isSet: true, isLocked: true });
  expect(bar.engine.audit.list({ action: 'user.pin_locked' }).items).toMatchObject([
    { username: null, via: 'daemon', subject: { id: 'ana' }, after: '{"tablet":"Bar left"}' },
  ]);
  bar.engine.users.logins.open('ana', 'registration', later);
  expect(await error('ana', pin, later)).toBe('not_allowed');
  bar.engine.users.logins.open('ana', 'password', later);
  expect(await error('ana', pin, later)).toBe('ana');
});

test('a password set by somebody else removes the PIN, one’s own does not', async () => {
  const password = await bar.engine.users.passwords.hash('hop-garden');
  const setPassword = (by: string) =>
    bar.engine.users.accounts.setPassword('ana', password, { actor: toActor(user(by), 'page'), now: at(0) });
  setPassword('ana');
  expect(bar.engine.users.pins.of(user('ana')).isSet).toBe(true);
  setPassword('dora');
  expect(bar.engine.users.pins.of(user('ana')).isSet).toBe(false);
  expect(await error('ana', pin)).toBe('invalid_request');
});

test('a PIN can be removed', async () => {
  bar.engine.users.pins.remove(user('ana'), toActor(user('ana'), 'page'), at(0));
  expect(await error('ana', pin)).toBe('invalid_request');
  expect(
    bar.engine.audit.list({ subject: { kind: 'user', id: 'ana' } }).items.map(({ action }) => action),
  ).toEqual(['user.pin_removed', 'user.pin_set']);
});
