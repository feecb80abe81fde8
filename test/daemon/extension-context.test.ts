import { expect, test } from 'vitest';
import { createProblem, type Problem } from '../../src/core/health/problems.ts';
import type { BaseServices } from '../../src/daemon/base-services.ts';
import { startContexts } from '../../src/daemon/extension-context.ts';
import { defineExtension } from '../../src/extensions/extension.ts';
import type { ReportProblem } from '../../src/outbox/outbox-interfaces.ts';
import type { Transport } from '../../src/outbox/transport.ts';

const darts = defineExtension({ name: 'darts', isOnByDefault: true, healthPart: 'board' });

function open() {
  const reported = new Map<ReportProblem, readonly Problem[]>();
  const parts: string[] = [];
  const base = {
    reporters(part: string) {
      parts.push(part);
      const report: ReportProblem = (problems) => void reported.set(report, problems);
      return report;
    },
  } as unknown as BaseServices;
  return { base, parts, problems: () => [...reported.values()].flat().map(({ code }) => code) };
}

const database = { engine: () => null };

test('an extension reports by several reporters of its part, and none has a problem when it is over', () => {
  const { base, parts, problems } = open();
  let ofTransport: ReportProblem = () => {};
  const contextOf = startContexts(base, database, {
    valvesOf: () => ({}),
    addTransport(_transport: Transport, report: ReportProblem) {
      ofTransport = report;
      return { retryNow() {}, remove() {} };
    },
  } as unknown as Parameters<typeof startContexts>[2]);
  const context = contextOf(darts);
  context.reportProblem([createProblem('see_log')]);
  context.createReporter()([createProblem('counting_goes_on')]);
  context.machine().addTransport({} as Transport);
  ofTransport([createProblem('message_not_created')]);
  expect(problems()).toEqual(['see_log', 'counting_goes_on', 'message_not_created']);
  expect(new Set(parts)).toEqual(new Set(['board']));
  context.endProblems();
  expect(problems()).toEqual([]);
});

test('before anything is counted there are no meters, and there is no machine to use', () => {
  const context = startContexts(open().base, database)(darts);
  expect(context.meterNames()).toEqual([]);
  expect(() => context.machine()).toThrow('Nothing is counted yet when darts starts.');
});
