import { expect, test } from 'vitest';
import { maxAssigned, toActor } from '../../../src/engine/engine.ts';
import { insertDrink } from '../../kit/drinks/insert-drink.ts';
import { at, minute, openBar } from '../bar.ts';

const now = at(60 * minute);

/** A bar with the accounts Ana, who is staff, and Bob. */
function openBarWithUsers() {
  const bar = openBar();
  const ana = bar.engine.users.addUser({ username: 'ana', isStaff: true }, at(0));
  bar.engine.users.addUser({ username: 'bob' }, at(0));
  const pour = (fields: { username?: string; authToken?: string; tap?: string }, afterMs = 0) =>
    insertDrink(bar.store, { tap: 'pi.flow0', ticks: 100, ...fields }, at(afterMs)).id;
  const owners = () =>
    [...bar.engine.drinks.list({ limit: 1_000 }).items, ...bar.engine.drinks.held()].map(
      ({ id, username }) => [id, username] as const,
    );
  const { assign } = bar.engine.drinks.assignments;
  return { ...bar, pour, owners, assign, actor: toActor(ana, 'page') };
}

test('all drinks of a name, however it was written, get the user with their events and totals', () => {
  const { engine, store, pour, owners, assign, actor } = openBarWithUsers();
  pour({ username: 'Zoe' });
  pour({ username: 'ＺＯＥ' });
  pour({ username: 'zoey' });
  pour({ username: 'zoe', tap: 'pi.flow2' });
  const result = assign({ drinks: { claimedUsername: 'zOE' }, username: 'BOB', actor }, now);
  expect(result).toMatchObject({ user: { username: 'bob' }, assigned: 3, remaining: 0, token: null });
  expect(owners()).toEqual([
    [3, null],
    [2, 'bob'],
    [1, 'bob'],
    [4, 'bob'],
  ]);
  expect(engine.reports.statistics.get({ kind: 'user', username: 'bob' })).toMatchObject({
    pours: 2,
    volumeMl: 200,
  });
  const events = engine.drinks.events.list({ limit: 100 }).filter(({ username }) => username === 'bob');
  expect(new Set(events.map(({ drinkId }) => drinkId))).toEqual(new Set([1, 2]));
  // A held pour keeps the user when it is kept.
  expect(engine.drinks.keep(4, { tapId: 1 }, now).drink.username).toBe('bob');
  expect(engine.site.checkDatabase()).toEqual([]);
  expect(store.faults()).toEqual([]);
});

test('an assignment is undone as a whole, and its drinks keep what was sent with them', () => {
  const { engine, pour, owners, assign, actor } = openBarWithUsers();
  pour({ username: 'zoe' });
  pour({ username: 'zoe' });
  const { correctionId } = assign({ drinks: { claimedUsername: 'zoe' }, username: 'bob', actor }, now);
  const one = expect.objectContaining({ reason: { name: 'assigned_with_others', drink: 1 } });
  expect(() => engine.drinks.undo(1, {}, now)).toThrow(one);
  engine.corrections.undo(correctionId!, { actor }, now);
  expect(owners()).toEqual([
    [2, null],
    [1, null],
  ]);
  expect(engine.lists.drinks({ claimedUsername: 'zoe', isUnattributed: true }).total).toBe(2);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('the assignment of one drink is undone like its reassignment', () => {
  const { engine, pour, owners, assign, actor } = openBarWithUsers();
  pour({});
  assign({ drinks: { drinkIds: [1] }, username: 'bob', actor }, now);
  engine.drinks.undo(1, {}, now);
  expect(owners()).toEqual([[1, null]]);
});

test('an assignment cannot be undone before a later correction of one of its drinks', () => {
  const { engine, pour, assign, actor } = openBarWithUsers();
  pour({ username: 'zoe' });
  pour({ username: 'zoe' });
  const { correctionId } = assign({ drinks: { claimedUsername: 'zoe' }, username: 'bob', actor }, now);
  engine.drinks.reassign(2, { username: 'ana' }, now);
  const later = expect.objectContaining({ reason: { name: 'corrected_since', drink: 2 } });
  expect(() => engine.corrections.undo(correctionId!, {}, now)).toThrow(later);
  expect(engine.drinks.get(1)?.drink.username).toBe('bob');
  engine.drinks.undo(2, {}, now);
  engine.corrections.undo(correctionId!, {}, now);
  expect(engine.drinks.get(2)?.drink.username).toBeNull();
});

test('drinks by id: those of the user are left, one of another user or an unknown one refuses all', () => {
  const { pour, owners, assign, actor } = openBarWithUsers();
  pour({});
  pour({ username: 'bob' });
  pour({ username: 'ana' });
  const other = expect.objectContaining({ reason: { name: 'drink_has_user', drink: 3 } });
  expect(() => assign({ drinks: { drinkIds: [1, 3] }, username: 'bob', actor }, now)).toThrow(other);
  const unknown = expect.objectContaining({ code: 'not_found' });
  expect(() => assign({ drinks: { drinkIds: [1, 9] }, username: 'bob', actor }, now)).toThrow(unknown);
  expect(owners().at(-1)).toEqual([1, null]);
  const result = assign({ drinks: { drinkIds: [2, 1, 1] }, username: 'bob', actor }, now);
  expect(result).toMatchObject({ assigned: 1, remaining: 0 });
  const again = assign({ drinks: { drinkIds: [2, 1] }, username: 'bob', actor }, now);
  expect(again).toMatchObject({ assigned: 0, correctionId: null });
});

test('many drinks are assigned in parts, the newest first, and each part is undone alone', () => {
  const { engine, store, pour, assign, actor } = openBarWithUsers();
  const count = maxAssigned + 3;
  store.transaction(() => {
    for (let i = 0; i < count; i++) pour({ username: 'zoe' }, i * 1_000);
  });
  const assignment = { drinks: { claimedUsername: 'zoe' }, username: 'bob', actor };
  const first = assign(assignment, now);
  expect(first).toMatchObject({ assigned: maxAssigned, remaining: 3 });
  expect(engine.lists.drinks({ isUnattributed: true }).items.map(({ id }) => id)).toEqual([3, 2, 1]);
  expect(assign(assignment, now)).toMatchObject({ assigned: 3, remaining: 0 });
  const none = expect.objectContaining({ code: 'not_found' });
  expect(() => assign(assignment, now)).toThrow(none);
  engine.corrections.undo(first.correctionId!, {}, now);
  expect(engine.lists.drinks({ username: 'bob' }).items.map(({ id }) => id)).toEqual([3, 2, 1]);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a token is assigned with its drinks, and later pours with it belong to the user', () => {
  const { engine, assign, actor } = openBarWithUsers();
  const pour = (authToken: string) =>
    engine.drinks.pours.report({ tap: 1, ticks: 100, authToken, source: 'post' }, now).id;
  pour('core.rfid|0089F2C4');
  pour('77');
  const bind = (authToken: string) =>
    assign({ drinks: { authToken }, username: 'bob', bindsToken: true, actor }, now);
  expect(bind('core.rfid.0089F2C4')).toMatchObject({
    assigned: 1,
    token: { authDevice: 'core.rfid', tokenValue: '0089f2c4', username: 'bob' },
  });
  expect(bind('77')).toMatchObject({ assigned: 1, token: { authDevice: 'core.rfid', tokenValue: '77' } });
  // Already his, and no drink is left.
  expect(bind('core.rfid|77')).toMatchObject({
    assigned: 0,
    correctionId: null,
    token: { tokenValue: '77' },
  });
  for (const authToken of ['core.rfid|0089f2c4', '77'])
    expect(engine.drinks.get(pour(authToken))?.drink.username).toBe('bob');
  expect(engine.access.unknownTokens.list()).toEqual([]);
  const entries = JSON.stringify(engine.audit.list({ limit: 100 }));
  expect(entries).toContain('token.created');
  expect(entries).not.toContain('0089f2c4');
});

test('a token without a user gets one, and the token of another user refuses everything', () => {
  const { engine, pour, owners, assign, actor } = openBarWithUsers();
  engine.access.tokens.create({ device: 'card', value: 'a' }, at(0));
  engine.access.tokens.create({ device: 'card', value: 'b', username: 'ana', enabled: false }, at(0));
  pour({ authToken: 'card|a' });
  pour({ authToken: 'card|b' });
  const bind = (authToken: string, username: string) => {
    const newUser = { displayName: '', email: '', siteUrl: null };
    return assign({ drinks: { authToken }, username, newUser, bindsToken: true, actor }, now);
  };
  expect(bind('card|a', 'carl')).toMatchObject({ user: { username: 'carl' }, token: { username: 'carl' } });
  const refused = expect.objectContaining({ reason: { name: 'token_has_user', user: 'ana' } });
  expect(() => bind('card|b', 'dora')).toThrow(refused);
  expect(engine.users.user('dora')).toBeNull();
  expect(owners()).toEqual([
    [2, null],
    [1, 'carl'],
  ]);
});

test('no account is created when no drink matches, and nothing is assigned to nobody', () => {
  const { engine, pour, assign, actor } = openBarWithUsers();
  pour({ username: 'zoe' });
  const newUser = { displayName: 'Zoe', email: '', siteUrl: null };
  const none = expect.objectContaining({ code: 'not_found' });
  expect(() => assign({ drinks: { claimedUsername: 'zo' }, username: 'zo', newUser, actor }, now)).toThrow(
    none,
  );
  expect(engine.users.user('zo')).toBeNull();
  const invalid = expect.objectContaining({ code: 'invalid_request' });
  for (const username of ['guest', '', 'nobody', ' '])
    expect(() => assign({ drinks: { drinkIds: [1] }, username, actor }, now), username).toThrow(invalid);
  const made = assign({ drinks: { claimedUsername: 'zoe' }, username: 'zoe', newUser, actor }, now);
  expect(made).toMatchObject({ user: { username: 'zoe', displayName: 'Zoe', isStaff: false }, assigned: 1 });
});
