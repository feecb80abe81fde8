import { expect, test } from 'vitest';
import { parseRequest } from '../../../src/core/updates/update-request.ts';

const install = { action: 'install', manifest: 'eyJ9', signature: 'c2ln' };
const change = { action: 'switch', version: '0.2.0' };

test.each([install, change])('%j is a request', (request) => {
  expect(parseRequest(JSON.stringify(request))).toEqual(request);
});

test.each([
  { ...install, manifest: undefined },
  { ...install, signature: undefined },
  { ...install, manifest: '' },
  { ...install, signature: '' },
  { ...install, manifest: 'e30 ' },
  { ...install, signature: 'c2ln===' },
  { ...install, signature: 7 },
  { ...install, version: '0.2.0' },
  { ...install, force: true },
  { ...install, action: 'switch' },
  { ...install, action: 'remove' },
  { ...change, action: 'install' },
  { ...change, version: undefined },
  { ...change, version: 2 },
  { ...change, version: '..' },
  { ...change, manifest: 'eyJ9' },
  { ...change, signature: 'c2ln' },
  { ...change, force: true },
  [change],
  null,
  'switch',
])('%j is none', (request) => {
  expect(parseRequest(JSON.stringify(request))).toBeNull();
});

test('a text that is no JSON is none', () => {
  expect(parseRequest('')).toBeNull();
  expect(parseRequest('{"action":"switch"')).toBeNull();
});
