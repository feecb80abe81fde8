import { expect, test } from 'vitest';
import { createTestServer } from '../../test-server.ts';
import { staffOf } from './staff.ts';

const fob = {
  auth_device: 'core.rfid',
  token_value: ' 0089F2C4 ',
  nice_name: 'Blue fob',
  pin: '4711',
  user: 'bert',
  expire_time: '2026-06-01T00:00:00+02:00',
};

test('a token is given to somebody, and its pin is shown to nobody', async () => {
  const anna = staffOf(createTestServer());
  const { token } = await anna.makes('/auth-tokens', fob);
  expect(token).toEqual({
    id: 'core.rfid|0089f2c4',
    auth_device: 'core.rfid',
    token_value: '0089f2c4',
    nice_name: 'Blue fob',
    has_pin: true,
    user_id: 'bert',
    enabled: true,
    created_time: '2026-05-02T17:00:00Z',
    expire_time: '2026-05-31T22:00:00Z',
  });
  const shown = JSON.stringify([
    await anna.does('get', '/auth-tokens'),
    await anna.does('get', '/auth-tokens/core.rfid.0089f2c4'),
    await anna.does('patch', '/auth-tokens/core.rfid.0089F2C4', { nice_name: 'Green fob' }),
  ]);
  expect(shown).not.toContain('4711');
});

test.each(['core.rfid.0089f2c4', 'core.rfid|0089f2c4', 'core.rfid/0089F2C4'])(
  'at %s a token is changed and forgotten',
  async (address) => {
    const anna = staffOf(createTestServer());
    await anna.makes('/auth-tokens', fob);
    const path = `/auth-tokens/${address.replace('|', '%7C')}`;
    const off = await anna.does('patch', path, { enabled: false, user: null, expire_time: null, pin: null });
    expect(off.token).toMatchObject({ enabled: false, user_id: null, expire_time: null, has_pin: false });
    expect(off.token.nice_name).toBe('Blue fob');
    const again = { auth_device: 'core.rfid', token_value: '0089f2c4', user: 'anna', enabled: true };
    const { token } = await anna.does('put', path, again);
    expect(token).toMatchObject({ user_id: 'anna', enabled: true, nice_name: 'Blue fob' });
    expect(await anna.does('delete', path)).toEqual({});
    await anna.isRefused(404, 'delete', path);
    await anna.isRefused(404, 'patch', path, {});
  },
);

test('one device and value is one token', async () => {
  const anna = staffOf(createTestServer());
  await anna.makes('/auth-tokens', fob);
  const { fields } = await anna.isRefused(400, 'post', '/auth-tokens', fob);
  expect(Object.keys(fields)).toEqual(['token_value']);
  await anna.makes('/auth-tokens', { auth_device: 'nfc', token_value: '0089F2C4' });
  await anna.isRefused(400, 'patch', '/auth-tokens/nfc.0089F2C4', {
    auth_device: 'core.rfid',
  });
  const moved = await anna.does('patch', '/auth-tokens/nfc.0089F2C4', { token_value: '0089F2C5' });
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
])('a token with %j is refused for its %s', async (wrong, field) => {
  const anna = staffOf(createTestServer());
  const { fields } = await anna.isRefused(400, 'post', '/auth-tokens', { ...fob, ...wrong });
  expect(Object.keys(fields)).toEqual([field]);
});

test('tokens are found by device, owner, state, and a part of any name', async () => {
  const server = createTestServer();
  const anna = staffOf(server);
  await anna.makes('/auth-tokens', fob);
  await anna.makes('/auth-tokens', { auth_device: 'onewire', token_value: 'FF01', enabled: false });
  await anna.makes('/auth-tokens', { auth_device: 'nfc', token_value: 'x%y', user: 'anna' });
  const found = async (query: string) => {
    const { tokens, paging } = await anna.does('get', `/auth-tokens?${query}`);
    expect(paging.total).toBe(tokens.length);
    return tokens.map(({ token_value }: { token_value: string }) => token_value);
  };
  expect(await found('')).toEqual(['x%y', 'ff01', '0089f2c4']);
  expect(await found('auth_device=onewire')).toEqual(['ff01']);
  expect(await found('enabled=false')).toEqual(['ff01']);
  expect(await found('enabled=true&user=anna')).toEqual(['x%y']);
  expect(await found('user=nobody')).toEqual([]);
  expect(await found('search=BLUE')).toEqual(['0089f2c4']);
  expect(await found('search=bert')).toEqual(['0089f2c4']);
  expect(await found('search=F2')).toEqual(['0089f2c4']);
  // A sign of SQL is a letter like any other.
  expect(await found('search=%25')).toEqual(['x%y']);
  const page = await anna.does('get', '/auth-tokens?enabled=true&limit=1');
  expect(page).toMatchObject({ paging: { total: 2, limit: 1, next: 2 }, tokens: [{ token_value: 'x%y' }] });
  await anna.isRefused(400, 'get', '/auth-tokens?enabled=maybe');
});

test('a token nobody knew is given to somebody with what the list says of it', async () => {
  const server = createTestServer();
  const anna = staffOf(server);
  server.store.tokensSeen.note({
    authDevice: 'core.rfid',
    tokenValue: '0089f2c4',
    device: 'kegboard-7',
    lastTimeMs: server.now().wallMs,
  });
  const { unknown_tokens: unknown } = await anna.does('get', '/admin/unknown-tokens');
  expect(unknown).toHaveLength(1);
  const { auth_device, token_value } = unknown[0];
  await anna.makes('/auth-tokens', { auth_device, token_value, user: 'bert' });
  expect((await anna.does('get', '/admin/unknown-tokens')).unknown_tokens).toEqual([]);
  server.engine.pours.report(
    { tap: 'pi.flow0', ticks: 600, authToken: `${auth_device}|${token_value}`, source: 'post' },
    server.now(),
  );
  expect((await anna.does('get', '/drinks/1')).drink.user_id).toBe('bert');
});
