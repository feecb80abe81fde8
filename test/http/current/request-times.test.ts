import request from 'supertest';
import { expect, test } from 'vitest';
import { currentApi } from '../../../src/http/current/api.ts';
import type { RouteServices } from '../../../src/http/services.ts';
import { allExtensions } from '../../kit/extensions.ts';
import { createTestServer, openingMs } from '../test-server.ts';

const timeWords = 'must be a time from 1970 to 2100, such as 2026-05-02T17:04:11Z';

/** All request fields of the API, as `operation.field`, with their schemas as text. */
const fields = currentApi({} as RouteServices, { extensions: allExtensions.http }).routes.flatMap(
  ({ id, accepts: { query, body } }) =>
    [query, body].flatMap((schema) =>
      Object.entries(schema?.properties ?? {}).map(([name, field]) => ({
        name: `${id}.${name}`,
        isTime: JSON.stringify(field).includes(timeWords),
      })),
    ),
);

test('every time field of a request is declared alike', () => {
  const times = fields.filter(({ isTime }) => isTime).map(({ name }) => name);
  expect(times).toEqual(
    expect.arrayContaining(['recordDrink.pour_time', 'setClock.time', 'listDrinks.since', 'getExport.until']),
  );
  const named = fields.filter(({ name }) => /\.(since|until|time|.*_(time|date))$/.test(name));
  // In the events feed `since` is an id.
  expect(named.filter(({ isTime }) => !isTime).map(({ name }) => name)).toEqual(['listEvents.since']);
});

/** A server in Berlin, 19:00 there. */
function createBerlinServer() {
  const server = createTestServer();
  server.engine.users.changeSite({ timeZone: 'Europe/Berlin' });
  const send = (method: 'get' | 'post' | 'patch', path: string, body?: object) =>
    request(server.app)[method](`/api${path}`).set('X-Kegbot-Api-Key', server.staffKey).send(body);
  return { ...server, send };
}

const forms = [
  '2026-05-02T16:04:11Z',
  '2026-05-02T18:04:11+02:00',
  '2026-05-02T18:04:11',
  '2026-05-02 18:04:11',
  '1777737851',
  1777737851,
];

test.each(forms)('a drink is recorded at %j', async (time) => {
  const { send } = createBerlinServer();
  const reply = await send('post', '/taps/1/record-drink', { volume_ml: 330, pour_time: time }).expect(201);
  expect(reply.body.result.drink.pour_time).toBe('2026-05-02T16:04:11Z');
});

test.each(forms)('a list begins at %j', async (time) => {
  const { send } = createBerlinServer();
  for (const [i, second] of ['10', '11'].entries())
    await send('post', '/taps/1/record-drink', {
      volume_ml: 100 * (i + 1),
      pour_time: `2026-05-02T16:04:${second}Z`,
    }).expect(201);
  const list = async (name: string) => {
    const reply = await send('get', `/drinks?${name}=${encodeURIComponent(time)}`).expect(200);
    return reply.body.result.drinks.map((drink: { volume_ml: number }) => drink.volume_ml);
  };
  expect(await list('since')).toEqual([200]);
  expect(await list('until')).toEqual([100]);
});

test('tokens and invitations end at a local time', async () => {
  const { app, createConfirmedCookie, send } = createBerlinServer();
  const token = { auth_device: 'core.rfid', token_value: '0089f2c4', expire_time: '2026-12-24T18:00' };
  const created = await send('post', '/auth-tokens', token).expect(201);
  expect(created.body.result.token.expire_time).toBe('2026-12-24T17:00:00Z');
  const changed = await send('patch', '/auth-tokens/core.rfid.0089f2c4', { expire_time: 1798131600 }).expect(
    200,
  );
  expect(changed.body.result.token.expire_time).toBe('2026-12-24T17:00:00Z');
  const end = openingMs / 1000 + 3600;
  const invitation = await request(app)
    .post('/api/invitations')
    .set('Cookie', createConfirmedCookie('anna'))
    .send({ by_mail: false, expires_date: end })
    .expect(201);
  expect(invitation.body.result.invitation.expires_date).toBe('2026-05-02T18:00:00Z');
});

test.each(['yesterday', '2026-05-02', '2026-02-30T10:00:00Z', '1777741451000', '-5', '5.5'])(
  'the error for the time %s says what is allowed, in words',
  async (time) => {
    const { send } = createBerlinServer();
    const query = await send('get', `/drinks?since=${encodeURIComponent(time)}`).expect(400);
    expect(query.body.error).toMatchObject({
      fields: { since: expect.stringContaining(timeWords) },
      rules: { since: { name: 'time' } },
    });
    const body = { volume_ml: 330, pour_time: time };
    const post = await send('post', '/taps/1/record-drink', body).expect(400);
    expect(post.body.error).toMatchObject({ fields: { pour_time: expect.stringContaining(timeWords) } });
    expect(post.body.error.message).not.toMatch(/[\^\\]/);
  },
);
