import { afterEach, expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { startMenuPublisher } from '../../../../src/extensions/menu-publication/outbox/menu-publisher.ts';
import { minute } from '../../../engine/bar.ts';
import { openWebSpace, publisherBar } from './web-space-rig.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(options: Parameters<typeof openWebSpace>[0] = {}) {
  const space = await openWebSpace(options);
  const bar = await publisherBar(space.url);
  closers.push(space.close, bar.close);
  return { space, bar };
}

test('the pages, the data and the pictures are written, pictures first', async () => {
  const { space, bar } = await open();
  bar.tapKeg();
  expect(await bar.publisher.publishNow()).toBeNull();
  expect(space.names()).toEqual([
    'menu.json',
    'index.de.html',
    'index.html',
    'index.es.html',
    'index.fr.html',
    'index.nl.html',
  ]);
  const menu = JSON.parse(space.files.get('menu.json')!.toString());
  expect(menu).toMatchObject({
    changed_time: '2026-05-01T18:00:00.000Z',
    taps: [{ name: 'Left', left: 'plenty' }],
  });
});

test('it is written after a change, at most once a minute, and only when guests would see a difference', async () => {
  const { space, bar } = await open();
  bar.setUp({ isEnabled: true });
  await bar.pass(0);
  const first = space.requests.length;
  expect(first).toBe(6);
  bar.tapKeg();
  bar.pourDrink(300);
  await bar.pass(minute - 1);
  expect(space.requests.length).toBe(first);
  await bar.pass(1);
  expect(space.requests.length).toBe(2 * first);
  // Still as much as before, in words.
  bar.pourDrink(300);
  await bar.pass(2 * minute);
  expect(space.requests.length).toBe(2 * first);
  bar.pourDrink(25_000);
  await bar.pass(2 * minute);
  expect(space.requests.length).toBe(3 * first);
});

test('a restart writes nothing that lies there already', async () => {
  const { space, bar } = await open();
  bar.setUp({ isEnabled: true });
  bar.tapKeg();
  await bar.pass(minute);
  const written = space.requests.length;
  // Called by itself, as by the shutdown of the daemon.
  const { close } = bar.publisher;
  await close();
  const next = startMenuPublisher(bar.parts);
  await bar.pass(minute);
  expect(space.requests.length).toBe(written);
  await next.close();
});

test('what failed is tried again, later and later, and reported after three failures', async () => {
  const { space, bar } = await open();
  space.answer = () => 503;
  bar.setUp({ isEnabled: true });
  await bar.pass(0);
  expect(bar.publisher.problem()).toMatchObject({ code: 'message_refused', params: { status: 503 } });
  expect(bar.problems).toEqual([]);
  await bar.pass(10 * minute);
  expect(bar.problems).toHaveLength(1);
  expect(space.requests.length).toBeLessThan(12);
  space.answer = () => 201;
  await bar.pass(60 * minute);
  expect(bar.publisher.problem()).toBeNull();
  expect(bar.problems).toEqual([]);
  expect(space.files.has('index.html')).toBe(true);
});

test.each([
  [401, 'web_space_login_refused'],
  [403, 'web_space_login_refused'],
  [405, 'web_space_read_only'],
  [404, 'web_space_no_folder'],
  [409, 'web_space_no_folder'],
  [507, 'web_space_full'],
  [301, 'message_redirected'],
  [500, 'message_refused'],
])('the answer %i is told as %s', async (status, code) => {
  const { space, bar } = await open();
  space.answer = () => status;
  expect(await bar.publisher.publishNow()).toMatchObject({ code });
});

test('a missing folder is made', async () => {
  const { space, bar } = await open();
  let isMade = false;
  space.answer = (method) => {
    if (method === 'MKCOL') isMade = true;
    return isMade ? 201 : 409;
  };
  expect(await bar.publisher.publishNow()).toBeNull();
  expect(space.requests.slice(0, 3).map(({ method }) => method)).toEqual(['PUT', 'MKCOL', 'PUT']);
});

test('user and password are sent, and nowhere else after a redirect', async () => {
  const { space, bar } = await open();
  bar.setUp({ username: 'bar', password: 'a secret' });
  const other = await openWebSpace();
  closers.push(other.close);
  space.redirect = other.url;
  expect(await bar.publisher.publishNow()).toMatchObject({ code: 'message_redirected' });
  space.redirect = null;
  await bar.publisher.publishNow();
  expect(other.requests).toEqual([]);
  const login = Buffer.from('bar:a secret').toString('base64');
  expect(new Set(space.requests.map(({ authorization }) => authorization))).toEqual(
    new Set([`Basic ${login}`]),
  );
});

test('the published files are deleted, pages before the rest, and the address is not told to guests any more', async () => {
  const { space, bar } = await open();
  bar.setUp({ isEnabled: true, publicUrl: 'https://bar.example/menu' });
  await bar.pass(0);
  expect(bar.publication.guestUrl()).toBe('https://bar.example/menu');
  expect(await bar.publisher.remove()).toBeNull();
  expect(space.files.size).toBe(0);
  expect(bar.publication.guestUrl()).toBeNull();
});

test('an unreachable web space is a problem with its host, and closing does not wait for a slow one', async () => {
  const { space, bar } = await open({ neverAnswers: true });
  const running = bar.publisher.publishNow();
  await space.reached();
  await bar.publisher.close();
  expect(await running).not.toBeNull();
});

test('without an address nothing is sent, and the problem says so', async () => {
  const { bar } = await open();
  bar.publication.change({ url: '' }, systemActor, bar.now());
  expect(await bar.publisher.publishNow()).toMatchObject({ code: 'web_space_not_set' });
});
