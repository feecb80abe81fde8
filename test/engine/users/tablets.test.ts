import { beforeEach, expect, test } from 'vitest';
import { type Tablets, toActor } from '../../../src/engine/engine.ts';
import { makeDummyHash } from '../../../src/engine/users/secrets.ts';
import { at, hour, minute, openEmptyBar } from '../bar.ts';

let bar: ReturnType<typeof openEmptyBar>;
let tablets: Tablets;

beforeEach(() => {
  bar = openEmptyBar();
  tablets = bar.engine.users.tablets;
  for (const username of ['ana', 'cleo']) {
    bar.engine.users.addUser({ username, isStaff: true, isSuperuser: username === 'ana' }, at(0));
    bar.store.users.pins.set(user(username).id, makeDummyHash(4));
  }
});

const user = (username: string) => bar.engine.users.user(username)!;
const ana = () => toActor(user('ana'), 'page');
const enrol = (name = 'Bar left') => tablets.enrol(name, ana(), at(0));
const findUnlockedUser = (id: number, pinUnlock: string, now = at(1_000)) =>
  tablets.unlockedUser(id, pinUnlock, now)?.username ?? null;

test('a tablet is found by its token, which the database does not contain', () => {
  const { tablet, token } = enrol();
  expect(tablets.find(token, at(0))).toEqual({ id: tablet.id, name: 'Bar left', extended: false });
  expect(tablets.find('x'.repeat(43), at(0))).toBeNull();
  expect(bar.store.users.tablets.byHash(Buffer.from(token, 'base64url'))).toBeNull();
  expect(tablets.list({}).items).toMatchObject([{ name: 'Bar left', enrolledBy: 'ana' }]);
});

test('a tablet stays enrolled for years, and its use is recorded twice a day', () => {
  const { token } = enrol();
  expect(tablets.find(token, at(11 * hour))?.extended).toBe(false);
  expect(tablets.find(token, at(13 * hour))?.extended).toBe(true);
  expect(tablets.find(token, at(14 * hour))?.extended).toBe(false);
  expect(tablets.find(token, at(1_000 * 24 * hour))?.extended).toBe(true);
});

test('a removed tablet’s token is invalid, and the audit log says who removed it', () => {
  const { tablet, token } = enrol();
  tablets.rename(tablet.id, 'Garden', ana(), at(0));
  tablets.remove(tablet.id, ana(), at(0));
  expect(tablets.find(token, at(0))).toBeNull();
  expect(() => tablets.remove(tablet.id, ana(), at(0))).toThrow('There is no such tablet.');
  const actions = bar.engine.audit.list({ subject: { kind: 'tablet', id: String(tablet.id) } }).items;
  expect(actions.map(({ action }) => action)).toEqual([
    'tablet.removed',
    'tablet.renamed',
    'tablet.enrolled',
  ]);
});

test('a PIN unlock lets one user act on one tablet for a minute', () => {
  const [left, right] = [enrol('Left').tablet, enrol('Right').tablet];
  const { token, seconds } = tablets.startPinUnlock(left.id, user('ana'), at(0));
  expect(seconds).toBe(60);
  expect(findUnlockedUser(left.id, token)).toBe('ana');
  expect(findUnlockedUser(left.id, token, at(59_999))).toBe('ana');
  expect(findUnlockedUser(left.id, token, at(60_000))).toBeNull();
  expect(findUnlockedUser(left.id, token, at(1_000, { bootId: 'boot-2' }))).toBeNull();
  expect(findUnlockedUser(right.id, token)).toBeNull();
  expect(findUnlockedUser(left.id, `${token}x`)).toBeNull();
});

test('another unlock, the button and removing the tablet each end an unlock', () => {
  const { tablet } = enrol();
  const first = tablets.startPinUnlock(tablet.id, user('ana'), at(0)).token;
  const second = tablets.startPinUnlock(tablet.id, user('cleo'), at(0)).token;
  expect(findUnlockedUser(tablet.id, first)).toBeNull();
  expect(findUnlockedUser(tablet.id, second)).toBe('cleo');
  tablets.endPinUnlock(tablet.id);
  expect(findUnlockedUser(tablet.id, second)).toBeNull();
  const third = tablets.startPinUnlock(tablet.id, user('cleo'), at(0)).token;
  tablets.remove(tablet.id, ana(), at(0));
  expect(findUnlockedUser(tablet.id, third)).toBeNull();
});

test('an unlock ends when its user is no longer staff, is inactive, or has another PIN', () => {
  const { tablet } = enrol();
  const unlock = () => tablets.startPinUnlock(tablet.id, user('cleo'), at(0)).token;
  let pinUnlock = unlock();
  bar.engine.users.accounts.change('cleo', { isStaff: false }, ana(), at(0));
  expect(findUnlockedUser(tablet.id, pinUnlock)).toBeNull();
  bar.engine.users.accounts.change('cleo', { isStaff: true }, ana(), at(0));
  expect(findUnlockedUser(tablet.id, pinUnlock)).toBe('cleo');
  bar.engine.users.accounts.change('cleo', { isActive: false }, ana(), at(0));
  expect(findUnlockedUser(tablet.id, pinUnlock)).toBeNull();
  bar.engine.users.accounts.change('cleo', { isActive: true }, ana(), at(0));
  pinUnlock = unlock();
  bar.store.users.pins.set(user('cleo').id, `${makeDummyHash(4)}2`);
  expect(findUnlockedUser(tablet.id, pinUnlock)).toBeNull();
});

test('the number of tablets is limited, and each needs a name', () => {
  for (let i = 0; i < 50; i++) enrol(`Tablet ${i}`);
  expect(() => enrol()).toThrow('There are 50 tablets already');
  tablets.remove(tablets.list({}).items[0]!.id, ana(), at(minute));
  expect(() => enrol(' ')).toThrow('name must be a text of 1 to 64 characters');
});

test('times from an unset clock are corrected once the clock is set', () => {
  const lost = { synced: false, wallMs: Date.UTC(2025, 0, 1) };
  const { tablet } = tablets.enrol('Bar', ana(), at(0, lost));
  bar.engine.drinks.clockCorrection.correct(at(minute));
  expect(bar.store.users.tablets.byId(tablet.id)).toMatchObject({
    createdTimeMs: at(0).wallMs,
    seenTimeMs: at(0).wallMs,
  });
});
