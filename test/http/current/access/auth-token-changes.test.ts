import { expect, test } from 'vitest';
import { createTestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

const fob = {
  auth_device: 'core.rfid',
  token_value: ' 0089F2C4 ',
  nice_name: 'Blue fob',
  pin: '4711',
  user: 'bert',
  expire_time: '2026-06-01T00:00:00+02:00',
};

test('creates a token with an owner, and never shows its PIN', async () => {
  const anna = createStaffClient(createTestServer());
  const { token } = await anna.create('/auth-tokens', fob);
  expect(token).toEqual({
    id: 'core.rfid|0089f2c4',
    auth_device: 'core.rfid',
    token_value: '0089f2c4',
    other_values: [],
    nice_name: 'Blue fob',
    has_pin: true,
    user_id: 'bert',
    enabled: true,
    created_time: '2026-05-02T17:00:00Z',
    expire_time: '2026-05-31T22:00:00Z',
    last_seen: null,
    last_seen_device: null,
  });
  const replies = JSON.stringify([
    await anna.send('get', '/auth-tokens'),
    await anna.send('get', '/auth-tokens/core.rfid.0089f2c4'),
    await anna.send('patch', '/auth-tokens/core.rfid.0089F2C4', { nice_name: 'Green fob' }),
  ]);
  expect(replies).not.toContain('4711');
});

test.each(['core.rfid.0089f2c4', 'core.rfid|0089f2c4', 'core.rfid/0089F2C4'])(
  'changes and deletes a token at %s',
  async (address) => {
    const anna = createStaffClient(createTestServer());
    await anna.create('/auth-tokens', fob);
    const path = `/auth-tokens/${address.replace('|', '%7C')}`;
    const off = await anna.send('patch', path, { enabled: false, user: null, expire_time: null, pin: null });
    expect(off.token).toMatchObject({ enabled: false, user_id: null, expire_time: null, has_pin: false });
    expect(off.token.nice_name).toBe('Blue fob');
    const replacement = { auth_device: 'core.rfid', token_value: '0089f2c4', user: 'anna', enabled: true };
    const { token } = await anna.send('put', path, replacement);
    expect(token).toMatchObject({ user_id: 'anna', enabled: true, nice_name: 'Blue fob' });
    expect(await anna.send('delete', path)).toEqual({ correction_id: expect.any(Number) });
    await anna.expectError(404, 'delete', path);
    await anna.expectError(404, 'patch', path, {});
  },
);

test('refuses a second token with the same device and value', async () => {
  const anna = createStaffClient(createTestServer());
  await anna.create('/auth-tokens', fob);
  const { fields } = await anna.expectError(400, 'post', '/auth-tokens', fob);
  expect(Object.keys(fields)).toEqual(['token_value']);
  await anna.create('/auth-tokens', { auth_device: 'nfc', token_value: '0089F2C4' });
  await anna.expectError(400, 'patch', '/auth-tokens/nfc.0089F2C4', {
    auth_device: 'core.rfid',
  });
  const moved = await anna.send('patch', '/auth-tokens/nfc.0089F2C4', { token_value: '0089F2C5' });
  expect(moved.token.id).toBe('nfc|0089F2C5');
});

test.each<[object, string]>([
  [{ user: 'nobody' }, 'user'],
  [{ auth_device: 'a|b' }, 'auth_device'],
  [{ token_value: ' ' }, 'token_value'],
  [{ expire_time: 'tomorrow' }, 'expire_time'],
  [{ expire_time: '2026-13-01T00:00:00Z' }, 'expire_time'],
  [{ enabled: 'yes' }, 'enabled'],
  [{ created_time: '2026-05-02T17:00:00Z' }, 'created_time'],
])('refuses a token with %j because of %s', async (wrong, field) => {
  const anna = createStaffClient(createTestServer());
  const { fields } = await anna.expectError(400, 'post', '/auth-tokens', { ...fob, ...wrong });
  expect(Object.keys(fields)).toEqual([field]);
});

test('finds tokens by device, owner, state and part of a name', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  await anna.create('/auth-tokens', fob);
  await anna.create('/auth-tokens', { auth_device: 'onewire', token_value: 'FF01', enabled: false });
  await anna.create('/auth-tokens', { auth_device: 'nfc', token_value: 'x%y', user: 'anna' });
  const search = async (query: string) => {
    const { tokens, paging } = await anna.send('get', `/auth-tokens?${query}`);
    expect(paging.total).toBe(tokens.length);
    return tokens.map(({ token_value }: { token_value: string }) => token_value);
  };
  expect(await search('')).toEqual(['x%y', 'ff01', '0089f2c4']);
  expect(await search('auth_device=onewire')).toEqual(['ff01']);
  expect(await search('enabled=false')).toEqual(['ff01']);
  expect(await search('enabled=true&user=anna')).toEqual(['x%y']);
  expect(await search('user=nobody')).toEqual([]);
  expect(await search('search=BLUE')).toEqual(['0089f2c4']);
  expect(await search('search=bert')).toEqual(['0089f2c4']);
  expect(await search('search=F2')).toEqual(['0089f2c4']);
  // A wildcard of SQL LIKE is matched literally.
  expect(await search('search=%25')).toEqual(['x%y']);
  const page = await anna.send('get', '/auth-tokens?enabled=true&limit=1');
  expect(page).toMatchObject({
    paging: { total: 2, limit: 1, next: expect.stringContaining('cursor=') },
    tokens: [{ token_value: 'x%y' }],
  });
  await anna.expectError(400, 'get', '/auth-tokens?enabled=maybe');
});

test('an unknown token from the list can be created with an owner', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  server.store.access.presentedTokens.note({
    authDevice: 'core.rfid',
    tokenValue: '0089f2c4',
    device: 'kegboard-7',
    lastTimeMs: server.now().wallMs,
  });
  const { unknown_tokens: unknown } = await anna.send('get', '/admin/unknown-tokens');
  expect(unknown).toHaveLength(1);
  const { auth_device, token_value } = unknown[0];
  await anna.create('/auth-tokens', { auth_device, token_value, user: 'bert' });
  expect((await anna.send('get', '/admin/unknown-tokens')).unknown_tokens).toEqual([]);
  server.engine.drinks.pours.report(
    { tap: 'pi.flow0', ticks: 600, authToken: `${auth_device}|${token_value}`, source: 'post' },
    server.now(),
  );
  expect((await anna.send('get', '/drinks/1')).drink.user_id).toBe('bert');
});

test('an unknown card shows what the reader sent and the cards that it looks like, and can be joined with one', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  await anna.create('/auth-tokens', { ...fob, token_value: '0104A32B1C' });
  server.store.access.presentedTokens.note({
    authDevice: 'core.rfid',
    tokenValue: '04a32b1c',
    raw: 'UID: 04 A3 2B 1C',
    device: 'pi',
    lastTimeMs: server.now().wallMs,
  });
  const { unknown_tokens: unknown } = await anna.send('get', '/admin/unknown-tokens');
  expect(unknown).toMatchObject([
    {
      token_value: '04a32b1c',
      raw: 'UID: 04 A3 2B 1C',
      looks_like: [{ id: 'core.rfid|0104a32b1c', user_id: 'bert' }],
    },
  ]);
  const { token } = await anna.send('patch', '/auth-tokens/core.rfid.0104a32b1c', {
    other_values: ['04a32b1c'],
  });
  expect(token).toMatchObject({ id: 'core.rfid|0104a32b1c', other_values: ['04a32b1c'] });
  expect((await anna.send('get', '/admin/unknown-tokens')).unknown_tokens).toEqual([]);
  for (const path of ['core.rfid.04a32b1c', 'core.rfid/04:A3:2B:1C', 'core.rfid|04a32b1c'])
    expect((await anna.send('get', `/auth-tokens/${encodeURI(path)}`)).token.id).toBe(token.id);
  await anna.expectError(400, 'post', '/auth-tokens', {
    auth_device: 'core.rfid',
    token_value: '0000000000',
  });
});
