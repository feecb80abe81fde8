import request from 'supertest';
import { expect, test } from 'vitest';
import { extensionCases } from '../../kit/extension-cases.ts';
import { ajvFor, type OpenApiDocument, operations, responseFor } from '../openapi/openapi-faults.ts';
import { createPopulatedServer } from './populated-server.ts';

/** One valid value for each path parameter. */
const pathValues: Readonly<Record<string, string>> = {
  id: '1',
  ref: 'pi.flow0',
  username: 'anna',
  sensor: '28-0000000000a1',
  token: 'core.rfid.0089f2c4',
  auth_device: 'core.rfid',
  token_value: '0089f2c4',
};

/** Ends of the paths that only superusers read. */
const forSuperusers = [
  '/{username}/export',
  '/{username}/api-keys',
  '/api/admin/updates',
  ...extensionCases.flatMap((one) => one.forSuperusers ?? []),
];

test('every answer, success and failure, matches the document', async () => {
  const server = createPopulatedServer();
  const document = (await request(server.app).get('/api/schema').expect(200)).body as OpenApiDocument;
  const ajv = ajvFor(document);
  const checked: string[] = [];
  for (const { beforeAnswers } of extensionCases) beforeAnswers?.(server);
  const staff = { 'X-Kegbot-Api-Key': server.staffKey };
  const tablet = server.createTabletCookie('Bar left');
  server.engine.users.addUser({ username: 'root', isSuperuser: true }, server.now());
  const root = server.createConfirmedCookie('root');
  for (const { name, method, operation } of operations(document)) {
    const path = name.replace(/^\w+ /, '');
    const hasValues = [...path.matchAll(/\{(\w+)\}/g)].every(([, name]) => pathValues[name!] !== undefined);
    const schema = operation.responses['200']?.content?.['application/json']?.schema;
    // Set-up routes are closed after the set-up; setup.test.ts covers them.
    if (path.startsWith('/api/setup/')) continue;
    if (method !== 'get' || !hasValues || !schema || Object.keys(schema).length === 0) continue;
    const address = path.replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(pathValues[name]!));
    const credentials = path.startsWith('/api/tablet/')
      ? { Cookie: tablet }
      : forSuperusers.some((end) => path.endsWith(end))
        ? { Cookie: root }
        : staff;
    const reply = await request(server.app).get(address).set(credentials);
    expect(reply.status, `${name}: ${reply.text}`).toBe(200);
    expect(ajv.compile(schema)(reply.body), `${name}: ${reply.text}`).toBe(true);
    const refused = await request(server.app).get(`${address}?limit=0&start=-1`).set('X-Kegbot-Api-Key', '');
    if (refused.status >= 400) {
      const failure = responseFor(document, operation, refused.status)?.content?.['application/json']?.schema;
      expect(failure, `${name} ${refused.status}`).toBeDefined();
      expect(ajv.compile(failure!)(refused.body), name).toBe(true);
    }
    checked.push(path);
  }
  expect(checked).toEqual(expect.arrayContaining(['/api/drinks/{id}', '/api/status', '/api/users/me']));
  expect(checked.length).toBeGreaterThan(30);
});

test('the document is served as YAML too, and in no other form', async () => {
  const { app } = createPopulatedServer();
  const json = await request(app).get('/api/schema?format=json').expect(200);
  expect(Object.keys(json.body.paths['/api/schema'].get.responses['200'].content)).toEqual([
    'application/json',
    'application/yaml',
  ]);
  const yaml = await request(app).get('/api/schema?format=yaml').buffer().expect(200);
  expect(yaml.headers['content-type']).toContain('application/yaml');
  expect(yaml.text ?? yaml.body.toString('utf8')).toMatch(/^openapi: "3\.1\.\d"\n/);
  await request(app).get('/api/schema?format=xml').expect(400);
});

test('the interactive page loads only local files, and no other files are served', async () => {
  const { app } = createPopulatedServer();
  const page = await request(app).get('/api/docs').expect(200);
  expect(page.headers['content-security-policy']).not.toContain('unsafe');
  const parts = [...page.text.matchAll(/(?:src|href)="(\/api\/docs\/[^"]+)"/g)].map(([, path]) => path!);
  expect(parts).toHaveLength(5);
  for (const part of parts) await request(app).get(part).expect(200);
  for (const part of ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']) {
    const text = await request(app)
      .get(`/api/docs/${part}`)
      .expect(200)
      .expect('Content-Type', /^text\/plain/);
    expect(text.text).toMatch(/copyright/i);
  }
  expect(page.text).not.toMatch(/https?:\/\//);
  expect(page.text).not.toMatch(/<script>|style=/);
  for (const part of ['package.json', '..%2Fpackage.json', 'index.html', 'constructor']) {
    await request(app).get(`/api/docs/${part}`).expect(404);
  }
});
