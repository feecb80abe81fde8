import { beforeEach, expect, test } from 'vitest';
import { upstream } from '../../../../src/extensions/upstream/extension.ts';
import { detectBacklog } from '../../../../src/extensions/upstream/outbox/backlog.ts';
import { upstreamStore } from '../../../../src/extensions/upstream/store/upstream-store.ts';
import { hour } from '../../../engine/bar.ts';
import { createAlarmBar } from '../../../services/monitors/alarm-bar.ts';

let bar: ReturnType<typeof createAlarmBar>;
beforeEach(() => {
  bar = createAlarmBar({
    backgroundConditions: (now) =>
      detectBacklog('hq.example', bar.engine.serviceOf(upstream).waitingReports(), now),
  });
});

const addReport = (ageMs: number) =>
  bar.store.tablesOf(upstreamStore).add({
    type: 'pour',
    data: '{}',
    atMs: bar.now().wallMs - ageMs,
    timeCertain: true,
    clockBoot: 'boot-1',
    monoMs: 0,
  });
const deliver = () => {
  const reports = bar.engine.serviceOf(upstream);
  reports.markDelivered(reports.waiting(10).map(({ id }) => id));
};

test('reports raise one alarm when the oldest waits for more than four hours', () => {
  addReport(0);
  bar.atTemp(5, 4 * 60);
  expect(bar.topics()).toEqual([]);
  addReport(0);
  bar.atTemp(5, 5 * 60);
  expect(bar.topics()).toEqual(['upstream_behind']);
  expect(bar.mailedValues()[0]).toMatchObject({ server: 'hq.example', hours: 4 });
  deliver();
  bar.atTemp(5, 31);
  expect(bar.raised()).toEqual([]);
});

test('old pours of a kegboard that was offline raise none when they are delivered at once', () => {
  addReport(9 * hour);
  bar.atTemp(5, 2);
  deliver();
  bar.atTemp(5, 60);
  expect(bar.topics()).toEqual([]);
});
