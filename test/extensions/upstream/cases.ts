import { upstreamStore } from '../../../src/extensions/upstream/store/upstream-store.ts';
import type { PopulatedServer } from '../../http/current/populated-server.ts';
import { openingMs } from '../../http/test-server.ts';
import type { ExtensionCases } from '../../kit/extension-cases.ts';

/** A report that the upstream server has refused. */
function refusedReport({ store, now }: PopulatedServer) {
  const queue = store.tablesOf(upstreamStore);
  store.transaction(() => {
    queue.add({
      type: 'temperature',
      data: '{"sensor":"cellar","temp_c":4.5}',
      atMs: openingMs,
      clockBoot: 'boot-1',
      monoMs: now().monoMs,
      timeCertain: true,
    });
    const [report] = queue.next(1_000).toReversed();
    queue.setAside(report!.id, '400 invalid');
  });
  return {};
}

export const cases: ExtensionCases = {
  name: 'upstream',
  writeNothing: ['retryUpstream'],
  evidence: {
    'the daemon has answered that it did what was asked': ['upstream.sentAgain'],
    'the message is queued; whether it arrives is not known': ['upstream.retried'],
    'the state of the connection': ['upstream.states.*', 'upstream.answered'],
    names: ['upstream.retry', 'upstream.sendAgain'],
  },
  freeChoices: ['daemon.problemTexts.upstream_failing code', 'daemon.problemTexts.upstream_failing since'],
  exampleRequests: {
    listUpstreamSetAside: { prepare: refusedReport },
    sendAllUpstreamAgain: { prepare: refusedReport },
    sendUpstreamAgain: { prepare: refusedReport },
    discardUpstreamReport: { prepare: refusedReport },
  },
  background: {
    host: 'central.example.org',
    device: 'hahn',
    state: () => ({
      state: 'connected',
      problem: null,
      lastAnswerMs: openingMs,
      pairingCode: null,
    }),
    meterNames: () => ['pi.flow0', 'pi.flow1'],
    retryNow() {},
  },
};
