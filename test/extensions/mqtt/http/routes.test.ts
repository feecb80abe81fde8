import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { createProblem, type Problem } from '../../../../src/core/health/problems.ts';
import { mqttDefaults } from '../../../../src/extensions/mqtt/core/mqtt-settings.ts';
import { mqtt } from '../../../../src/extensions/mqtt/extension.ts';
import { createStaffClient, createSuperuserClient } from '../../../http/current/staff-client.ts';
import { createTestServer, type TestServer } from '../../../http/test-server.ts';
import { testMqtt } from '../cases.ts';

let server: TestServer;
let anna: ReturnType<typeof createStaffClient>;
let root: ReturnType<typeof createSuperuserClient>;
let problem: Problem | null;

beforeEach(() => {
  problem = null;
  server = createTestServer({
    services: {
      backgroundOf: () => ({
        ...testMqtt,
        // The settings file names the prefix.
        settings: () => ({
          values: { ...mqttDefaults, ...own().settings(), topicPrefix: 'bar' },
          fixed: ['topicPrefix'],
          siteId: own().siteId(),
        }),
        test: async () => problem,
      }),
    },
  });
  anna = createStaffClient(server);
  root = createSuperuserClient(server);
});

const own = () => server.engine.serviceOf(mqtt);
const audit = () => server.engine.audit.list({ action: 'mqtt.changed' }).items;
const key = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';
const certificate = key.replaceAll('PRIVATE KEY', 'CERTIFICATE');

test('a superuser changes the settings; password and key are never shown, also not in the audit log', async () => {
  const account = { username: 'tapster', password: 'hidden word' };
  const changes = { enabled: true, host: 'broker.local', ...account, certificate, key };
  const changed = await root.send('patch', '/admin/mqtt', changes);
  expect(changed).toMatchObject({
    mqtt: { enabled: true, host: 'broker.local', has_password: true, has_key: true, publish_names: false },
    fixed: ['topic_prefix'],
    state: 'off',
  });
  const read = await anna.send('get', '/admin/mqtt');
  for (const text of [changed, read, audit()].map((shown) => JSON.stringify(shown))) {
    expect(text).not.toContain('hidden word');
    expect(text).not.toContain('PRIVATE');
  }
  expect(audit()[0]).toMatchObject({ action: 'mqtt.changed', username: 'root' });
  expect(own().settings()).toMatchObject({ password: 'hidden word', key });
});

test('a password is not sent to another broker, and a key goes with its certificate', async () => {
  const settings = { host: 'one.local', username: 'me', password: 'hidden', certificate, key };
  await root.send('patch', '/admin/mqtt', settings);
  await root.send('patch', '/admin/mqtt', { publish_names: true });
  expect(own().settings().password).toBe('hidden');
  await root.send('patch', '/admin/mqtt', { host: 'two.local' });
  expect(own().settings().password).toBe('');
  await root.send('patch', '/admin/mqtt', { certificate: '' });
  expect(own().settings().key).toBe('');
});

test('what the settings file names cannot be changed', async () => {
  const refused = await root.expectError(400, 'patch', '/admin/mqtt', { topic_prefix: 'other', host: 'x' });
  expect(refused.fields).toHaveProperty('topic_prefix');
  expect(own().settings().host).toBe('');
});

test('values that do not fit are refused with their fields', async () => {
  for (const [name, value] of Object.entries({
    host: 'no name',
    port: 70_000,
    protocol: '4',
    topic_site: 'a/b',
    ca: 'no certificate',
    username: 'x'.repeat(300),
  })) {
    const refused = await root.expectError(400, 'patch', '/admin/mqtt', { [name]: value });
    expect(refused.fields, name).toHaveProperty(name);
  }
});

test('staff who are no superusers read and test, but do not change', async () => {
  await anna.expectError(403, 'patch', '/admin/mqtt', { host: 'broker.local' });
  expect(await anna.send('post', '/admin/mqtt-test')).toEqual({ problem: null });
  problem = createProblem('mqtt_login_refused', { host: 'broker.local' });
  expect((await anna.send('post', '/admin/mqtt-test')).problem).toMatchObject({
    code: 'mqtt_login_refused',
    params: { host: 'broker.local' },
  });
});

test('the schemas of the payloads are valid JSON Schemas', async () => {
  const { $schema, topics } = (await request(server.app).get('/api/schema/mqtt').expect(200)).body.result;
  expect($schema).toBe('https://json-schema.org/draft/2020-12/schema');
  expect(Object.keys(topics)).toContain('taps/{id}/event');
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  for (const schema of Object.values(topics)) expect(ajv.validateSchema(schema as object)).toBe(true);
});
