import { expect, test } from 'vitest';
import { at, minute, openBar, openingMs } from '../bar.ts';

const refusedFor = (field: string) =>
  expect.objectContaining({ code: 'invalid_request', fields: { [field]: expect.any(String) } });

test('an account is created once and returned without its password', async () => {
  const { engine } = openBar();
  const password = await engine.users.passwords.hash('correct horse');
  const ana = engine.users.addUser({ username: 'ana', password, email: 'ana@example.org' }, at(minute));
  expect(ana).toEqual({
    id: 1,
    username: 'ana',
    displayName: 'ana',
    email: 'ana@example.org',
    isStaff: false,
    isSuperuser: false,
    isActive: true,
    joinedTimeMs: openingMs + minute,
    mugshot: null,
    notificationLanguage: null,
  });
  expect(engine.users.user('ana')).toEqual(ana);
  expect(() => engine.users.addUser({ username: 'ana' }, at(0))).toThrow(refusedFor('username'));
});

test('names that differ in case, width or composition are one account', async () => {
  const { engine } = openBar();
  const password = await engine.users.passwords.hash('correct horse');
  const { id } = engine.users.addUser({ username: 'Jo\u0308rg', password }, at(0));
  for (const username of ['Jörg', 'JÖRG', 'jo\u0308rg', 'ｊöｒｇ', ' jörg ']) {
    expect(engine.users.user(username)).toMatchObject({ id, username: 'Jörg' });
    expect(await engine.users.passwords.check(username, 'correct horse')).toMatchObject({ id });
    expect(() => engine.users.addUser({ username }, at(0))).toThrow(refusedFor('username'));
  }
  engine.users.addUser({ username: 'jorg' }, at(0));
  expect(await engine.users.passwords.check('jorg', 'correct horse')).toBeNull();
});

test('a pour, a token, a key and a login find the account by any form of its name', () => {
  const { engine } = openBar();
  const { id } = engine.users.addUser({ username: 'Boss' }, at(0));
  const pour = { tap: 'pi.flow0', ticks: 2200, source: 'post' } as const;
  const reported = engine.drinks.pours.report({ ...pour, username: 'bOSS' }, at(minute));
  expect(reported).toMatchObject({ username: 'Boss', claimedUsername: null });
  const guest = engine.drinks.pours.report({ ...pour, username: 'GUEST' }, at(2 * minute));
  expect(guest).toMatchObject({ username: null, claimedUsername: null });
  const token = engine.access.tokens.create(
    { device: 'core.rfid', value: 'c0ffee', username: 'BOSS' },
    at(0),
  );
  expect(token).toMatchObject({ username: 'Boss' });
  expect(engine.users.byKey(engine.users.createKey('boss', '', at(0)).secret)).toMatchObject({
    user: { id },
  });
  expect(
    engine.users.logins.find(engine.users.logins.open('BOSS', 'password', at(0)).token, at(0)),
  ).toMatchObject({
    user: { id },
  });
});

test.each([
  '',
  'guest',
  'Guest',
  'me',
  'ME',
  '.',
  '..',
  'boss.',
  'b\u043Ess',
  'two words',
  'a/b',
  'x'.repeat(31),
  'né\0',
])('rejects the user name %o', (username) => {
  expect(() => openBar().engine.users.addUser({ username }, at(0))).toThrow(refusedFor('username'));
});

test.each(['Zoë', 'jörg.müller@bar', 'ラガー', 'a+b-c_d.e'])('accepts the user name %s', (username) => {
  expect(openBar().engine.users.addUser({ username }, at(0)).username).toBe(username);
});

test('a password opens its own account only; too short a one is refused', async () => {
  const { engine } = openBar();
  const { hash, check } = engine.users.passwords;
  engine.users.addUser({ username: 'ana', password: await hash('pässwort-42') }, at(0));
  engine.users.addUser({ username: 'bob' }, at(0));
  expect((await check('ana', 'pa\u0308sswort-42'))?.username).toBe('ana');
  expect(await check('ana', 'passwort')).toBeNull();
  expect(await check('bob', '')).toBeNull();
  expect(await check('nobody', 'pässwort-42')).toBeNull();
  for (const password of ['123456789', 'x'.repeat(1_025)]) {
    await expect(hash(password)).rejects.toThrow(refusedFor('password'));
  }
});

test('the database file contains neither password nor key', async () => {
  const { engine, store } = openBar();
  const password = await engine.users.passwords.hash('correct horse');
  engine.users.addUser({ username: 'ana', password }, at(0));
  const { secret } = engine.users.createKey('ana', 'bar tablet', at(0));
  expect(store.users.passwordHash('ana')).toMatch(/^scrypt\$/);
  expect(store.users.passwordHash('ana')).not.toContain('correct');
  const stored = store.users.keys.byPrefix(secret.slice(0, 8));
  expect(stored).toHaveLength(1);
  expect(Buffer.from(stored[0]!.hash).toString('hex')).not.toContain(secret);
});

test('a key is 32 hexadecimal digits and finds its user', () => {
  const { engine } = openBar();
  const ana = engine.users.addUser({ username: 'ana', isStaff: true }, at(0));
  const one = engine.users.createKey('ana', 'tablet', at(0));
  const two = engine.users.createKey('ana', 'tablet', at(0));
  expect(one.secret).toMatch(/^[0-9a-f]{32}$/);
  expect(two.secret).not.toBe(one.secret);
  expect(two.keyId).not.toBe(one.keyId);
  expect(engine.users.byKey(one.secret, at(0))).toEqual({ user: ana });
  const almost = one.secret.slice(0, 31) + (one.secret.endsWith('0') ? '1' : '0');
  for (const wrong of [almost, one.secret.toUpperCase().replace(/^/, 'X'), '', 'x'.repeat(10_000)]) {
    expect(engine.users.byKey(wrong)).toEqual({ refused: 'unknown' });
  }
  expect(() => engine.users.createKey('nobody', '', at(0))).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
});

test('tokens are found in upper and lower case', () => {
  const { engine } = openBar();
  engine.users.addUser({ username: 'ana' }, at(0));
  const button = engine.access.tokens.create(
    { device: 'onewire', value: ' 0089F2C4 ', username: 'ana' },
    at(0),
  );
  expect(button).toMatchObject({ authDevice: 'core.onewire', tokenValue: '0089f2c4', username: 'ana' });
  expect(engine.users.token('core.onewire', '0089F2C4')).toEqual(button);
  expect(engine.users.token('onewire', '0089f2c4')).toEqual(button);
  for (const text of ['onewire|0089F2C4', 'core.onewire.0089F2C4', 'onewire.0089f2c4']) {
    expect(engine.users.tokenByText(text), text).toEqual(button);
  }
  const phone = engine.access.tokens.create({ device: 'nfc.v2', value: 'AB.cd' }, at(0));
  expect(engine.users.tokenByText('nfc.v2.AB.cd')).toEqual(phone);
  expect(engine.users.tokenByText('nfc.v2.ab.cd')).toBeNull();
  expect(engine.users.token('nfc', 'v2.AB.cd')).toBeNull();
  expect(() => engine.access.tokens.create({ device: 'onewire', value: '0089f2C4' }, at(0))).toThrow(
    refusedFor('token_value'),
  );
});

test('the site is set up once staff exists', () => {
  const { engine } = openBar();
  engine.users.addUser({ username: 'ana' }, at(0));
  expect(engine.users.site()).toMatchObject({
    isSetUp: false,
    sessionTimeoutMinutes: 180,
    privacy: 'public',
  });
  engine.users.addUser({ username: 'boss', isStaff: true }, at(0));
  expect(engine.users.site().isSetUp).toBe(true);
});

test.each([
  ['title', { title: '' }],
  ['title', { title: 'x'.repeat(65) }],
  ['privacy', { privacy: 'secret' as 'public' }],
  ['timezone', { timeZone: 'Mars/Olympus' }],
  ['volume_display_units', { volumeUnits: 'pints' as 'metric' }],
  ['temperature_display_units', { temperatureUnits: 'k' as 'c' }],
  ['session_timeout_minutes', { sessionTimeoutMinutes: -1 }],
  ['session_timeout_minutes', { sessionTimeoutMinutes: 1.5 }],
])('the site’s %s rejects %o', (field, change) => {
  const { engine } = openBar();
  const before = engine.users.site();
  expect(() => engine.users.changeSite(change)).toThrow(refusedFor(field));
  expect(engine.users.site()).toEqual(before);
});

test('a changed site setting is stored, the others stay', () => {
  const { engine } = openBar();
  const before = engine.users.site();
  engine.users.changeSite({ title: ' The Tap ', timeZone: 'Europe/Berlin', volumeUnits: 'metric' });
  expect(engine.users.site()).toEqual({
    ...before,
    title: 'The Tap',
    timeZone: 'Europe/Berlin',
    volumeUnits: 'metric',
  });
});

test('a token keeps its owner’s name for it', () => {
  const { engine } = openBar();
  const fob = { device: 'core.rfid', value: '0089f2c4', niceName: ' Blue fob ' };
  expect(engine.access.tokens.create(fob, at(0)).niceName).toBe('Blue fob');
  expect(engine.users.token('core.rfid', '0089F2C4')?.niceName).toBe('Blue fob');
});
