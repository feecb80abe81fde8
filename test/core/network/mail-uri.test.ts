import { expect, test } from 'vitest';
import { parseMailUri } from '../../../src/core/network/mail-uri.ts';

test('parses a mail server from one line', () => {
  expect(
    parseMailUri('submission://bar:p%40ss:word@mail.example:2587/?_default_from_email=bar%40example.org'),
  ).toEqual({
    host: 'mail.example',
    port: 2587,
    security: 'starttls',
    username: 'bar',
    password: 'p@ss:word',
    fromAddress: 'bar@example.org',
  });
  expect(parseMailUri('smtp://mail.example')).toEqual({
    host: 'mail.example',
    port: 25,
    security: 'none',
    username: '',
  });
  expect(parseMailUri('smtps://a@[::1]/?_default_from_email=a@b.example')).toEqual({
    host: '::1',
    port: 465,
    security: 'tls',
    username: 'a',
    fromAddress: 'a@b.example',
  });
});

test.each(['console:', 'dummy:', 'memory:', ' console:// '])('%s turns mail off', (line) => {
  expect(parseMailUri(line)).toMatchObject({ host: '' });
});

test.each([
  '',
  'mail.example',
  'http://mail.example',
  'smtp:',
  'smtp://',
  'submission://a:%zz@host',
  'memory:x',
])('“%s” is not a mail server', (line) => {
  expect(parseMailUri(line)).toBeNull();
});
