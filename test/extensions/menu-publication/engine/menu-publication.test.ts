import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import type { MenuPublicationSettings } from '../../../../src/extensions/menu-publication/core/settings.ts';
import { menuPublication } from '../../../../src/extensions/menu-publication/extension.ts';
import { at, openBar } from '../../../engine/bar.ts';
import { switchOn } from '../../../kit/extensions.ts';

const switchedOn = await switchOn([menuPublication]);

function open() {
  const bar = openBar(':memory:', {}, switchedOn);
  const publication = bar.engine.serviceOf(menuPublication);
  return {
    bar,
    publication,
    change: (settings: Partial<MenuPublicationSettings>) => publication.change(settings, systemActor, at(0)),
  };
}

test('the address of the folder ends with a slash', () => {
  expect(open().change({ url: 'https://bar.example/menu' }).url).toBe('https://bar.example/menu/');
});

test.each([
  ['ftp://bar.example/', /must be the address of a folder/],
  ['https://user:secret@bar.example/', /must be the address of a folder/],
  ['https://bar.example/?a=b', /must be the address of a folder/],
  ['https://127.0.0.1/menu/', /is this machine itself/],
  ['http://169.254.169.254/', /is link-local/],
])('the address %s is refused', (url, message) => {
  const { change, publication } = open();
  expect(() => change({ url })).toThrow(message);
  expect(publication.settings().url).toBe('');
});

test('publishing needs an address', () => {
  expect(() => open().change({ isEnabled: true })).toThrow(/url is needed/);
});

test('a password is kept until address or user change, and goes with the user', () => {
  const { change } = open();
  const login = { username: 'anna', password: 'secret' };
  expect(change({ url: 'https://bar.example/', ...login }).password).toBe('secret');
  expect(change({ publicUrl: 'https://menu.example/' }).password).toBe('secret');
  expect(change({ url: 'https://other.example/' }).password).toBe('');
  expect(change(login).password).toBe('secret');
  expect(change({ username: 'bert' }).password).toBe('');
  expect(change(login).password).toBe('secret');
  expect(change({ username: '' }).password).toBe('');
});

test.each([
  ['http://bar.example/', false],
  ['http://203.0.113.5/', false],
  ['http://nas/', true],
  ['http://nas.local/', true],
  ['http://192.168.1.5/', true],
  ['http://172.32.1.5/', false],
])('a password over %s, which is not encrypted: %s', (url, isAllowed) => {
  const run = () => open().change({ url, username: 'anna', password: 'secret' });
  if (isAllowed) expect(run().url).toBe(url);
  else expect(run).toThrow(/https:/);
});

test('the audit log tells what changed, and not the password', () => {
  const { bar, change } = open();
  change({ url: 'https://bar.example/', username: 'anna', password: 'very secret' });
  const [entry] = bar.engine.audit.list({ limit: 1 }).items;
  expect(entry?.action).toBe('menu_publication.changed');
  expect(JSON.stringify(entry)).toContain('anna');
  expect(JSON.stringify(entry)).not.toContain('very secret');
});

test('guests are led to the published menu only while it lies at the present address', () => {
  const { change, publication } = open();
  const url = 'https://bar.example/menu/';
  change({ url, isEnabled: true });
  expect(publication.guestUrl()).toBeNull();
  publication.recordPublished({ url, files: { 'index.html': 'a' }, timeMs: at(0).wallMs });
  expect(publication.guestUrl()).toBe(url);
  change({ publicUrl: 'https://menu.example/' });
  expect(publication.guestUrl()).toBe('https://menu.example/');
  change({ isEnabled: false });
  expect(publication.guestUrl()).toBeNull();
  change({ isEnabled: true, url: 'https://other.example/' });
  expect(publication.guestUrl()).toBeNull();
});
