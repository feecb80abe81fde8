import { expect, test } from 'vitest';
import { createProblem, type Problem } from '../../src/core/health/problems.ts';
import type { ReportProblem } from '../../src/outbox/outbox-interfaces.ts';
import type { Transport } from '../../src/outbox/transport.ts';
import { openTestOutbox } from './test-outbox.ts';

const receiver = { kind: 'radio', target: 'club', maxWaiting: 100 };

/** A bar whose pours are news for the club, and a transport that sends them while `isReachable`. */
async function open() {
  const bar = await openTestOutbox();
  bar.store.notifications.eventReceivers.useForNews(() => [receiver]);
  const sent: string[] = [];
  const state = { isReachable: true };
  const transport: Transport = {
    kind: 'radio',
    maxConcurrent: 1,
    async send({ topic }) {
      if (!state.isReachable)
        return { kind: 'failed', problem: createProblem('see_log'), isFinal: false, scope: 'receiver' };
      sent.push(topic);
      return { kind: 'sent', isForgotten: true };
    },
  };
  let problems: readonly Problem[] = [];
  const report: ReportProblem = (now) => {
    problems = now;
  };
  const add = () => bar.worker.add(transport, report);
  return { ...bar, sent, state, add, problems: () => problems };
}

const told = ['session_started', 'session_joined', 'drink_poured'];

test('what waits is sent when its transport is added, and waits again when it is removed', async () => {
  const bar = await open();
  bar.pourDrink();
  await bar.sendOut();
  expect(bar.sent).toEqual([]);
  const running = bar.add();
  await bar.sendOut();
  expect(bar.sent.splice(0)).toEqual(told);

  running.remove();
  bar.pourDrink();
  await bar.sendOut();
  expect(bar.sent).toEqual([]);
  bar.add();
  await bar.sendOut();
  expect(bar.sent).toEqual(['drink_poured']);
});

test('it retries at once when asked, and reports its own problems, which end with it', async () => {
  const bar = await open();
  bar.state.isReachable = false;
  const running = bar.add();
  bar.pourDrink();
  for (let minutes = 0; minutes < 30; minutes++) await bar.pass(60_000);
  expect(bar.problems()).toMatchObject([{ code: 'see_log' }]);
  bar.state.isReachable = true;
  running.retryNow();
  await bar.sendOut();
  expect(bar.sent).toEqual(told);
  expect(bar.problems()).toEqual([]);

  bar.state.isReachable = false;
  bar.pourDrink();
  for (let minutes = 0; minutes < 30; minutes++) await bar.pass(60_000);
  expect(bar.problems()).toHaveLength(1);
  running.remove();
  expect(bar.problems()).toEqual([]);
  await bar.sendOut();
  expect(bar.problems()).toEqual([]);
});
