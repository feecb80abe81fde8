import request, { type Response } from 'supertest';
import { expect, test } from 'vitest';
import { currentApi } from '../../../src/http/current/api.ts';
import { errorNames } from '../../../src/http/routes/reply-format.ts';
import type { JsonAnswer } from '../../../src/http/routes/route.ts';
import type { RouteServices } from '../../../src/http/services.ts';
import { insertDrink } from '../../kit/drinks/insert-drink.ts';
import { extensionCases } from '../../kit/extension-cases.ts';
import { allExtensions } from '../../kit/extensions.ts';
import { createPopulatedServer, type PopulatedServer } from '../current/populated-server.ts';

const asStaff = ({ staffKey }: PopulatedServer) => ({ 'X-Kegbot-Api-Key': staffKey });

const tagOf = async (
  server: PopulatedServer,
  path: string,
  headers: Record<string, string> = asStaff(server),
) => {
  const reply = await request(server.app).get(`/api${path}`).set(headers).expect(200);
  return String(reply.headers.etag);
};

const get = ({ app }: PopulatedServer, path: string, headers: Record<string, string> = {}) =>
  request(app).get(`/api${path}`).set(headers);

test('a read has a strong tag, and the same read with it is answered 304 with the headers of the 200', async () => {
  const server = createPopulatedServer();
  const full = await get(server, '/kegs/1', { 'Accept-Encoding': 'identity' }).expect(200);
  expect(full.headers.etag).toMatch(/^"[\w-]{27}"$/);
  expect(full.headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'Accept-Encoding' });
  const again = await get(server, '/kegs/1', { 'If-None-Match': `"x", W/${full.headers.etag}` }).expect(304);
  const { etag, vary, 'cache-control': cacheControl } = full.headers;
  expect(again.headers).toMatchObject({ etag, vary, 'cache-control': cacheControl });
  expect(again.headers).toHaveProperty('content-security-policy');
  expect(again.headers).not.toHaveProperty('content-type');
  expect(again.text).toBe('');
  await request(server.app).head('/api/kegs/1').set('If-None-Match', String(etag)).expect(304);
  await get(server, '/kegs/1', { 'If-None-Match': '*' }).expect(304);
  await get(server, '/kegs/1', { 'If-None-Match': 'malformed' }).expect(200);
});

test('the tag changes with the body: after a write, for another caller, in lists', async () => {
  const server = createPopulatedServer();
  const before = await tagOf(server, '/drinks');
  insertDrink(server.store, { tap: 'pi.flow0', ticks: 600 }, server.now());
  await get(server, '/drinks', { ...asStaff(server), 'If-None-Match': before }).expect(200);
  expect(await tagOf(server, '/drinks')).not.toBe(before);
  expect(await tagOf(server, '/users/me')).not.toBe(await tagOf(server, '/users/me', {}));
});

test('an answer that needs a login is not stored by browsers, but has a tag', async () => {
  const server = createPopulatedServer();
  for (const path of ['/users', '/users/me', '/site', '/audit']) {
    const { headers } = await get(server, path, asStaff(server)).expect(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers.etag).toMatch(/^"/);
  }
});

test('what staff see of a list of drinks is not stored by browsers, and is not answered by the tag of what guests see', async () => {
  const server = createPopulatedServer();
  const guestTag = await tagOf(server, '/drinks', {});
  const { headers } = await get(server, '/drinks', {
    ...asStaff(server),
    'If-None-Match': guestTag,
  }).expect(200);
  expect(headers['cache-control']).toBe('no-store');
  expect(headers.etag).not.toBe(guestTag);
});

test('errors, writes and the legacy API have no tags', async () => {
  const server = createPopulatedServer();
  const error = await get(server, '/kegs/999', { 'If-None-Match': '*' }).expect(404);
  const write = await request(server.app).patch('/api/kegs/2').set(asStaff(server)).send({ notes: 'x' });
  const legacy = ['taps', 'taps/1', 'events', 'schema', 'status'].map((path) =>
    get(server, `/v1/${path}`, { ...asStaff(server), 'If-None-Match': '*' }).expect(200),
  );
  for (const { headers } of [error, write, ...(await Promise.all(legacy))]) {
    expect(headers).not.toHaveProperty('etag');
    expect(headers['cache-control']).toBe('no-store');
  }
});

/** Long enough to be compressed. */
const longNotes = 'behind the crates '.repeat(50);

test('a read of 1 KiB and more is compressed as its client prefers, with a tag of its own', async () => {
  const server = createPopulatedServer();
  const plain = await get(server, '/kegs/1', { 'Accept-Encoding': 'identity' }).expect(200);
  expect(plain.headers).not.toHaveProperty('content-encoding');
  const { etag } = plain.headers;
  const packed = await get(server, '/kegs/1', { 'Accept-Encoding': 'gzip' }).expect(200);
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
  expect(packed.headers.etag).toBe(etag!.replace(/"$/, '-gzip"'));
  expect(packed.body).toEqual(plain.body);
  const smaller = await get(server, '/kegs/1', { 'Accept-Encoding': 'gzip, br' }).buffer(true).parse(bytes);
  expect(smaller.headers['content-encoding']).toBe('br');
  expect(Number(smaller.headers['content-length'])).toBeLessThan(smaller.body.length);
  expect(JSON.parse(smaller.body.toString())).toEqual(plain.body);
  for (const tag of [etag!, packed.headers.etag!, smaller.headers.etag!])
    await get(server, '/kegs/1', { 'Accept-Encoding': 'gzip', 'If-None-Match': tag }).expect(304);
  const small = await get(server, '/kegs/999', { 'Accept-Encoding': 'gzip' }).expect(404);
  expect(small.headers).not.toHaveProperty('content-encoding');
});

test('HEAD has the headers of GET', async () => {
  const server = createPopulatedServer();
  const head = await request(server.app).head('/api/kegs/1').set('Accept-Encoding', 'gzip').expect(200);
  const { headers } = await get(server, '/kegs/1', { 'Accept-Encoding': 'gzip' }).expect(200);
  for (const name of ['etag', 'content-length', 'content-encoding', 'vary', 'cache-control'])
    expect(head.headers[name]).toBe(headers[name]);
});

test('the legacy API is compressed, JSONP, answers to writes and event streams are not', async () => {
  const server = createPopulatedServer();
  const headers = { ...asStaff(server), 'Accept-Encoding': 'gzip' };
  const status = await get(server, '/v1/status', headers).expect(200);
  expect(status.headers['content-encoding']).toBe('gzip');
  expect(status.headers.deprecation).toBe('true');
  const jsonp = await get(server, '/v1/status?callback=show', headers).buffer(true).parse(bytes);
  expect(jsonp.body.length).toBeGreaterThan(1_024);
  expect(jsonp.headers).not.toHaveProperty('content-encoding');
  const write = await request(server.app).patch('/api/kegs/2').set(headers).send({ notes: longNotes });
  expect(write.text.length).toBeGreaterThan(1_024);
  expect(write.headers).not.toHaveProperty('content-encoding');
});

test.each([
  ['patch', '/kegs/2', '/kegs/2', { notes: 'new' }, 200],
  ['patch', '/site', '/site', { title: 'Bar' }, 200],
  ['post', '/kegs/2/end', '/kegs/2', {}, 200],
  ['post', '/drinks/1/reassign', '/drinks/1', { username: 'bert' }, 200],
  ['delete', '/drinks/1', '/drinks/1', {}, 200],
  ['post', '/users/bert/set-password', '/users/bert', { password: 'a long pass phrase' }, 200],
] as const)('%s %s is done only if what was read is unchanged', async (method, path, read, body, status) => {
  const server = createPopulatedServer();
  const send = (tag: string) =>
    request(server.app)
      [method](`/api${path}`)
      .set('Cookie', server.createConfirmedCookie('anna'))
      .set('If-Match', tag)
      .send(body);
  const tag = await tagOf(server, read);
  const auditBefore = server.engine.audit.list({}).items.length;
  const refused = await send('"old"').expect(412);
  expect(refused.body.error).toMatchObject({ code: 'Error', reason: { name: 'changed_since_read' } });
  expect(refused.body.error.message).toContain('Nothing was written');
  await send(`W/${tag}`).expect(412);
  expect(server.engine.audit.list({}).items).toHaveLength(auditBefore);
  await send(`"old", ${tag}`).expect(status);
});

test('of two writers who read the same, the second is refused', async () => {
  const server = createPopulatedServer();
  const tag = await tagOf(server, '/kegs/2');
  const write = (notes: string) =>
    request(server.app).patch('/api/kegs/2').set(asStaff(server)).set('If-Match', tag).send({ notes });
  const [one, other] = await Promise.all([write('first'), write('second')]);
  expect([one.status, other.status].sort()).toEqual([200, 412]);
  await request(server.app)
    .patch('/api/kegs/2')
    .set({ ...asStaff(server), 'If-Match': '*' })
    .send({ notes: 'third' })
    .expect(200);
});

test('a handler that waits compares again before it writes', async () => {
  const server = createPopulatedServer();
  const tag = await tagOf(server, '/users/bert');
  const send = (path: string) =>
    request(server.app)
      .post(path)
      .set('Cookie', server.createConfirmedCookie('anna'))
      .set('If-Match', tag)
      .send({ password: 'a long pass phrase' });
  const waiting = send('/api/users/bert/set-password').then((reply) => reply);
  // While the password is hashed, which takes longer than this request.
  const change = request(server.app)
    .patch('/api/users/bert')
    .set(asStaff(server))
    .send({ display_name: 'B.' });
  const [password, changed] = await Promise.all([waiting, change]);
  expect(changed.status).toBe(200);
  expect(password.status).toBe(412);
});

test('errors of the request come before If-Match, and permission before the comparison', async () => {
  const server = createPopulatedServer();
  const tag = await tagOf(server, '/kegs/2');
  const send = (headers: Record<string, string>, path = '/kegs/2', body: object = { notes: 'x' }) =>
    request(server.app).patch(`/api${path}`).set(headers).send(body);
  const old = { 'If-Match': '"old"' };
  await send({ ...old }).expect(401);
  await send({ ...old, 'X-Kegbot-Api-Key': server.guestKey }).expect(403);
  await send({ ...old, ...asStaff(server) }, '/kegs/2', { notes: 7 }).expect(400);
  await send({ ...old, ...asStaff(server) }, '/kegs/999').expect(404);
  const malformed = await send({ ...asStaff(server), 'If-Match': tag.slice(1) }).expect(400);
  expect(malformed.body.error.fields).toEqual({ 'If-Match': expect.stringContaining('ETag') });
});

test('If-Match is refused where nothing can be read, instead of being ignored', async () => {
  const server = createPopulatedServer();
  const reply = await request(server.app)
    .post('/api/auth/logout')
    .set({ ...asStaff(server), 'If-Match': '*' })
    .expect(400);
  expect(reply.body.error.fields['If-Match']).toContain('cannot be used here');
});

test.each([
  '/kegs/1',
  '/taps/1',
  '/drinks/1',
  '/beverages/1',
  '/beverage-producers/1',
  '/users/anna',
  '/site',
  '/sessions/1',
  '/auth-tokens/core.rfid/0089f2c4',
  '/flow-meters/1',
  '/flow-toggles/1',
  '/controllers/1',
  '/admin/business',
  '/admin/alarms',
])('the tag of %s does not change by itself', async (path) => {
  const server = createPopulatedServer();
  const before = await tagOf(server, path);
  server.setClock({ wallMs: server.now().wallMs + 61_000, monoMs: server.now().monoMs + 61_000 });
  expect(await tagOf(server, path)).toBe(before);
});

test('412 is the status of a failed precondition', () => {
  expect(errorNames.precondition_failed.status).toBe(412);
});

function bytes(response: Response, done: (fault: Error | null, body: Buffer) => void): void {
  const stream = response as unknown as NodeJS.ReadableStream;
  const parts: Buffer[] = [];
  stream.on('data', (part: Buffer) => parts.push(part));
  stream.on('end', () => done(null, Buffer.concat(parts)));
}

test('each handler that waits and changes what can be read compares again before it writes', () => {
  const { routes } = currentApi({} as RouteServices, { extensions: allExtensions.http });
  const shape = (path: string) => path.replace(/\{\w+\}/g, '{}');
  const readable = new Set(
    routes
      .filter(({ method, answer }) => method === 'get' && answer.kind === 'json')
      .map(({ path }) => shape(path)),
  );
  const waiting = routes.filter(({ method, path, answer }) => {
    if (method === 'get' || answer.kind !== 'json' || answer.run.constructor.name !== 'AsyncFunction')
      return false;
    const address = shape(path);
    return readable.has(address) || readable.has(address.replace(/(\})\/[^/{}]+$/, '$1'));
  });
  const source = (id: string) => String((routes.find((route) => route.id === id)!.answer as JsonAnswer).run);
  // `withPicture` compares for the pictures.
  const unchecked = waiting
    .map(({ id }) => id)
    .filter((id) => !/requireUnchanged|withPicture/.test(source(id)));
  // `eraseUser` writes before it waits.
  expect(unchecked.sort()).toEqual(
    [
      ...['eraseUser', 'setBeveragePicture', 'setProducerPicture'],
      ...extensionCases.flatMap(({ oneAtATime = [] }) => oneAtATime),
    ].sort(),
  );
});
