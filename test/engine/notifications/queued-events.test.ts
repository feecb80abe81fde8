import { expect, test } from 'vitest';
import { systemActor } from '../../../src/engine/engine.ts';
import { newestRows } from '../../../src/store/shared/slice.ts';
import { at, openBar, pour } from '../bar.ts';

type Bar = ReturnType<typeof openBar>;

/** Who hears all news, as an extension adds it. */
const club = { kind: 'radio', target: 'club', maxWaiting: 25_000 };

/** Topics of the waiting messages, for each receiver in their order. */
const waiting = ({ engine, store }: Bar) =>
  ['mail', 'webhook', 'radio'].flatMap((kind) =>
    engine.notifications.outbox
      .receivers(kind, at(9_000), 100)
      .flatMap((target) =>
        store.notifications.outbox.due({ kind, target, nowMs: at(9_000).wallMs, farMs: 1e15, limit: 100 }),
      )
      .map(({ target, topic }) => `${kind} ${target} ${topic}`),
  );

const clear = ({ store }: Bar) => {
  for (const { id } of store.notifications.outbox.page({ state: null, kind: null }, newestRows(1_000)))
    store.notifications.outbox.remove(id);
};

test('each event is told at once to the webhooks and people who want its kind, and to those who hear all news', () => {
  const bar = openBar();
  const { engine, store } = bar;
  const context = { actor: systemActor, now: at(0) };
  engine.notifications.mail.change(
    { host: '127.0.0.1', port: 9, security: 'none', fromAddress: 'bar@example.org' },
    systemActor,
    at(0),
  );
  const anna = engine.users.addUser({ username: 'anna', email: 'anna@example.org' }, at(0));
  const bert = engine.users.addUser({ username: 'bert' }, at(0));
  const wants = { keg_tapped: true, session_started: true, keg_volume_low: false, keg_ended: false };
  for (const { id: userId } of [anna, bert])
    store.transaction(() =>
      store.notifications.settings.add({ userId, backend: 'mail', wants: wants as never }),
    );
  engine.notifications.webhooks.add('https://one.example/', context);
  const { id } = engine.notifications.webhooks.add('https://two.example/', context);
  engine.notifications.webhooks.edit(id, { eventKinds: ['drink_poured'] }, context);
  store.notifications.eventReceivers.useForNews(() => [club]);
  clear(bar);
  engine.drinks.pours.record(pour(at(60)), 'pin', at(60));
  expect(waiting(bar)).toEqual([
    `mail user:${anna.id} session_started`,
    'webhook https://one.example/ session_started',
    'webhook https://one.example/ session_joined',
    'webhook https://one.example/ drink_poured',
    'webhook https://two.example/ drink_poured',
    'radio club session_started',
    'radio club session_joined',
    'radio club drink_poured',
  ]);
  const event = engine.drinks.events.list({ limit: 10 }).find(({ kind }) => kind === 'drink_poured');
  const [message] = engine.notifications.outbox.due(
    { kind: 'webhook', target: 'https://two.example/' },
    at(61),
    1,
  );
  expect(JSON.parse(message!.payload)).toEqual({
    id: event!.id,
    kind: 'drink_poured',
    time_ms: event!.timeMs,
    drink_id: event!.drinkId,
    keg_id: event!.kegId,
    session_id: event!.sessionId,
    user_id: null,
    merged_session_id: null,
  });
});

test('who is switched off, deactivated or removed hears nothing of the next pour', () => {
  const bar = openBar();
  const { engine, store } = bar;
  const context = { actor: systemActor, now: at(0) };
  const { id } = engine.notifications.webhooks.add('https://one.example/', context);
  store.notifications.eventReceivers.useForNews(() => [club]);
  engine.drinks.pours.record(pour(at(60)), 'pin', at(60));
  engine.notifications.webhooks.edit(id, { isEnabled: false }, context);
  store.notifications.eventReceivers.useForNews(() => []);
  clear(bar);
  engine.drinks.pours.record(pour(at(120)), 'pin', at(120));
  expect(waiting(bar)).toEqual([]);
});

test('an undo and a split tell nobody that something was poured', () => {
  const bar = openBar();
  const { engine } = bar;
  engine.notifications.webhooks.add('https://one.example/', { actor: systemActor, now: at(0) });
  const { id } = engine.drinks.pours.record(pour(at(60)), 'pin', at(60));
  clear(bar);
  engine.drinks.split(id, { ticks: 100 }, at(61));
  engine.drinks.undo(id, {}, at(62));
  engine.drinks.cancel(id, { spilled: false }, at(63));
  engine.drinks.undo(id, {}, at(64));
  expect(waiting(bar)).toEqual([]);
});

test.each([0, 1])(
  'many waiting messages of one receiver stay limited, with %i other messages after each',
  (others) => {
    const { store } = openBar();
    const message = { topic: 'x', payload: '{}', createdTimeMs: 0 };
    store.transaction(() => {
      for (let n = 0; n < 25_600; n++) {
        store.notifications.outbox.add({ ...message, ...club });
        for (let k = 0; k < others; k++)
          store.notifications.outbox.add({ ...message, kind: 'mail', target: 'a@b' });
      }
    });
    expect(store.notifications.outbox.countFor(club.kind, club.target, 'waiting')).toBeLessThan(25_200);
  },
  30_000,
);
