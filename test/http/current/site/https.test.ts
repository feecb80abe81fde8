import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { expect, test } from 'vitest';
import { type HttpsAdmin, httpsOff } from '../../../../src/http/https-ports.ts';
import { createTestServer } from '../../test-server.ts';

const day = 86_400_000;
const fromMs = Date.UTC(2026, 4, 1);
const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

function createHttps(change: Partial<HttpsAdmin> = {}): HttpsAdmin {
  return {
    ...httpsOff,
    isEnabled: true,
    port: () => 8443,
    authority: () => ({
      name: 'Tapster bar 1a2b',
      certificate: pem,
      fingerprint: 'AB:CD',
      fromMs,
      toMs: fromMs + 3_653 * day,
    }),
    certificate: () => ({
      source: 'tapster',
      names: ['bar.local', '192.168.1.5'],
      fromMs,
      toMs: fromMs + 397 * day,
    }),
    ...change,
  };
}

const get = (app: Parameters<typeof request>[0], headers: Record<string, string> = {}) =>
  request(app).get('/api/site/https').set(headers).expect(200);

test('everybody may read what a device needs to trust this machine, also on a private site before the set-up', async () => {
  const { app } = createTestServer({ services: { https: createHttps() } });
  const { body } = await get(app, { Host: `${hostname()}.local:8080` });
  expect(body.result.https).toEqual({
    is_enabled: true,
    is_secure: false,
    address: `https://${hostname().toLowerCase()}.local:8443`,
    is_required: false,
    fixed_requirement: null,
    is_used_by_staff: false,
    authority: {
      name: 'Tapster bar 1a2b',
      fingerprint: 'AB:CD',
      url: '/ca.crt',
      from_time: '2026-05-01T00:00:00Z',
      until_time: '2036-05-01T00:00:00Z',
    },
    certificate: {
      source: 'tapster',
      names: ['bar.local', '192.168.1.5'],
      from_time: '2026-05-01T00:00:00Z',
      until_time: '2027-06-02T00:00:00Z',
    },
    problems: [],
  });
});

test('it says whether this client must use HTTPS', async () => {
  const { app } = createTestServer({ services: { https: createHttps({ fixedRequirement: 'on' }) } });
  expect((await get(app)).body.result.https.is_required).toBe(false);
  const remote = await get(app, { 'X-Forwarded-For': '192.168.1.77' });
  expect(remote.body.result.https).toMatchObject({ is_required: true, fixed_requirement: 'on' });
});

test('where HTTPS is off there is no address', async () => {
  const { app } = createTestServer();
  expect((await get(app)).body.result.https).toMatchObject({
    is_enabled: false,
    address: null,
    authority: null,
  });
  await request(app).get('/ca.crt').expect(404);
});

test('staff renew the certificate, guests do not', async () => {
  let renewals = 0;
  const https = createHttps({
    renewNow: async () => {
      renewals += 1;
    },
  });
  const { app, staffKey, guestKey } = createTestServer({ services: { https } });
  const renew = (key: string) =>
    request(app).post('/api/site/https/renewal').set('X-Kegbot-Api-Key', key).send({});
  await renew(guestKey).expect(403);
  await renew(staffKey).expect(200);
  expect(renewals).toBe(1);
});

test('the authority is served as phones expect it, over plain HTTP too', async () => {
  const { app } = createTestServer({ services: { https: createHttps() } });
  const { headers, text, body } = await request(app).get('/ca.crt').expect(200);
  expect(headers['content-type']).toBe('application/x-x509-ca-cert');
  expect(text ?? body.toString()).toBe(pem);
});

test('only the check may be read from another origin', async () => {
  const { app } = createTestServer({ services: { https: createHttps() } });
  const Origin = 'http://bar.local:8080';
  const check = await request(app).get('/https-check').set({ Origin }).expect(204);
  expect(check.headers['access-control-allow-origin']).toBe('*');
  expect(check.headers['access-control-allow-credentials']).toBeUndefined();
  for (const path of ['/', '/ca.crt', '/api/site/https', '/healthz', '/https-check/', '/https-checks'])
    expect(
      (await request(app).get(path).set({ Origin })).headers['access-control-allow-origin'],
    ).toBeUndefined();
});

test('the page may reach its own machine over HTTPS for the check, and nothing else', async () => {
  const { app, webDirectory } = createTestServer({ services: { https: createHttps() } });
  writeFileSync(join(webDirectory, 'index.html'), '<html lang="en"><head></head></html>');
  const policyFor = async (Host: string) =>
    (await request(app).get('/https').set({ Host }).expect(200)).headers['content-security-policy'];
  expect(await policyFor('127.0.0.1:8080')).toMatch(
    /;connect-src 'self' https:\/\/127\.0\.0\.1:8443\/https-check$/,
  );
  expect(await policyFor("evil.example;script-src 'unsafe-inline'")).toMatch(
    new RegExp(`;connect-src 'self' https://${hostname().toLowerCase()}\\.local:8443/https-check$`),
  );
});
