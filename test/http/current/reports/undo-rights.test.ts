import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let callers: Readonly<Record<'staff' | 'staffKey' | 'superuser' | 'superuserKey', Record<string, string>>>;

beforeEach(() => {
  server = createTestServer();
  const { users } = server.engine;
  users.addUser({ username: 'root', isSuperuser: true }, server.now());
  const key = (secret: string) => ({ 'X-Kegbot-Api-Key': secret });
  callers = {
    staff: { Cookie: server.createConfirmedCookie('anna') },
    staffKey: key(server.staffKey),
    superuser: { Cookie: server.createConfirmedCookie('root') },
    superuserKey: key(users.createKey('root', 'test', server.now()).secret),
  };
});

const change = async (username: string, body: object): Promise<number> => {
  const reply = await request(server.app).patch(`/api/users/${username}`).set(callers.superuser).send(body);
  return reply.body.result.correction_id;
};

/** To whom the entry offers its undo. */
async function offeredTo(id: number): Promise<readonly string[]> {
  const names: string[] = [];
  for (const [name, headers] of Object.entries(callers)) {
    const { body } = await request(server.app).get('/api/audit?limit=20').set(headers).expect(200);
    const entry = body.result.entries.find((one: { id: number }) => one.id === id);
    if (entry.can_undo) names.push(name);
  }
  return names;
}

const everybody = ['staff', 'staffKey', 'superuser', 'superuserKey'];

test('a change of the name of a guest is offered to all staff', async () => {
  expect(await offeredTo(await change('bert', { display_name: 'Berti' }))).toEqual(everybody);
});

test('a change of how a guest is reached is offered to who can enter a password', async () => {
  for (const body of [{ email: 'bert@example.org' }, { is_active: false }])
    expect(await offeredTo(await change('bert', body))).toEqual(['staff', 'superuser']);
});

test('a change of the role or the address of staff is offered to superusers who can enter a password', async () => {
  for (const body of [{ is_staff: true }, { email: 'bert@example.org' }, { is_staff: false }])
    expect(await offeredTo(await change('bert', body))).toEqual(['superuser']);
});

test('a change of a superuser is offered to superusers only, also when that one is none by now', async () => {
  const renamed = await change('root', { display_name: 'Ruth' });
  expect(await offeredTo(renamed)).toEqual(['superuser', 'superuserKey']);
  server.engine.users.addUser({ username: 'ada', isSuperuser: true }, server.now());
  const ada = server.createConfirmedCookie('ada');
  await request(server.app)
    .patch('/api/users/root')
    .set('Cookie', ada)
    .send({ is_superuser: false })
    .expect(200);
  callers = { ...callers, superuser: { Cookie: ada } };
  // Root is not staff either: only the log-in of the other superuser is left.
  const { body } = await request(server.app).get('/api/audit?limit=20').set(callers.staff).expect(200);
  expect(body.result.entries.find((one: { id: number }) => one.id === renamed).can_undo).toBe(false);
});

test('a change of a member who became a superuser since is offered to superusers only', async () => {
  const named = await change('bert', { display_name: 'Berti' });
  await change('bert', { is_superuser: true });
  expect(await offeredTo(named)).toEqual(['superuser', 'superuserKey']);
});

test('a change of the right of superusers is offered to those who can enter a password', async () => {
  expect(await offeredTo(await change('anna', { is_superuser: true }))).toEqual(['staff', 'superuser']);
  expect(await offeredTo(await change('anna', { is_superuser: false }))).toEqual(['superuser']);
});

test('what an entry offers is allowed, and what it does not offer is refused', async () => {
  for (const [username, body] of [
    ['bert', { display_name: 'Berti' }],
    ['root', { display_name: 'Ruth' }],
    ['anna', { is_superuser: true }],
    ['bert', { is_superuser: true }],
  ] as const) {
    const id = await change(username, body);
    const offered = await offeredTo(id);
    for (const [name, headers] of Object.entries(callers)) {
      if (offered.includes(name)) continue;
      const { status } = await request(server.app).post(`/api/corrections/${id}/undo`).set(headers).send({});
      expect(status, `${name}: ${JSON.stringify(body)} of ${username}`).toBe(403);
    }
    await request(server.app).post(`/api/corrections/${id}/undo`).set(callers.superuser).send({}).expect(200);
    expect(await offeredTo(id)).toEqual([]);
  }
});
