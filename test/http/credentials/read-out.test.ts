import { afterAll, describe, expect, test } from 'vitest';
import { legacyApi } from '../../../src/http/legacy-v1/api.ts';
import { setPassword } from '../openapi/example-requests/example-request.ts';
import { sendExample } from '../openapi/record-examples.ts';
import { current, openBar, requestOf, routeOf } from './watched-bar.ts';

const secrets = { mail: 'secret-of-mail', webhooks: 'secret-of-webhooks' };
const { bar, hashes } = openBar(routeOf('getStatus'));
const { server, root } = bar;
const { engine } = server;
const rootActor = { userId: engine.users.user('root')!.id, via: 'page' } as const;
engine.notifications.mail.change(
  { host: 'mail.example.org', fromAddress: 'bar@example.org', username: 'bar', password: secrets.mail },
  rootActor,
  server.now(),
);
engine.notifications.webhooks.change({ secret: secrets.webhooks }, rootActor, server.now());
await setPassword(server, 'bert');
const callers = [
  { 'X-Kegbot-Api-Key': engine.users.createKey('root', '', server.now()).secret },
  { Cookie: server.createLoginCookie('root') },
];
afterAll(() => server.store.close());

describe('what a superuser’s key or a login that was not confirmed reads', () => {
  const reads = [current, legacyApi].flatMap((api) =>
    api.routes
      .filter(({ method, path, answer }) => {
        const isStream = answer.kind === 'raw' && answer.mediaType === 'text/event-stream';
        return method === 'get' && !isStream && !path.startsWith('/demo/');
      })
      .map((route) => ({ name: `${api.name} ${route.id}`, api, route })),
  );

  test.each(reads)('holds no stored secret: $name', async ({ api, route }) => {
    const { params, query } = requestOf(api, route.id);
    for (const headers of callers) {
      const made = { ...(params && { params }), ...(query && { query }) };
      const reply = await sendExample(bar, { api, route, form: 'example', made, headers });
      const text = JSON.stringify(reply);
      for (const secret of [...Object.values(secrets), ...hashes()]) expect(text).not.toContain(secret);
    }
  });

  const archives = reads.filter(
    ({ route: { answer } }) => answer.kind === 'raw' && /gzip|octet-stream|sqlite/.test(answer.mediaType),
  );

  test('is no backup: a confirmed login reads it', async () => {
    expect(archives.map(({ route }) => route.id)).toEqual(['downloadBackup']);
    const { api, route } = archives[0]!;
    const send = async (headers: Readonly<Record<string, string>>) =>
      (await sendExample(bar, { api, route, form: 'example', made: requestOf(api, route.id), headers }))
        .status;
    expect(await Promise.all(callers.map(send))).toEqual([403, 403]);
    expect(await send({ Cookie: root })).toBe(200);
  });

  test('is known to this test: the hashes are many', () => {
    expect(hashes().length).toBeGreaterThan(5);
  });
});
