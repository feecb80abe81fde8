import request from 'supertest';
import { createEventBus } from '../../src/core/event-bus.ts';
import type { Moment } from '../../src/core/moment.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { startUpstream, type UpstreamSender } from '../../src/outbox/upstream.ts';
import type { UpstreamAnswer, UpstreamPost } from '../../src/outbox/upstream-post.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { at, pour } from '../engine/bar.ts';
import { manualScheduler } from '../http/live/streams.ts';
import { createTestServer, type TestServer } from '../http/test-server.ts';
import type { WireBatch } from '../kit/board.ts';
import { assertBatch, assertResponse } from '../kit/protocol-schemas.ts';

export const device = 'cellar-pi';

/** What a line does with a batch. */
export type WireFault = 'arrives' | 'request lost' | 'answer lost' | 'twice';

/** Carries batches to a real house; holds both sides to the protocol's own schemas. */
export function createWire(server: TestServer) {
  const sent: WireBatch[] = [];
  const tokens: (string | null)[] = [];
  const delivered: { readonly body: string; readonly token: string | null }[] = [];
  let nextFault: () => WireFault = () => 'arrives';
  let answerFor: (batch: WireBatch) => UpstreamAnswer | null = () => null;
  const lost: UpstreamAnswer = { kind: 'failed', code: 'ECONNREFUSED' };
  const carry = async (body: string, token: string | null): Promise<UpstreamAnswer> => {
    delivered.push({ body, token });
    const sending = request(server.app).post('/api/device-event').set('Content-Type', 'application/json');
    if (token !== null) sending.set('Authorization', `Bearer ${token}`);
    const answer = await sending.send(body);
    assertResponse(answer.body);
    return { kind: 'answered', status: answer.status, body: answer.body, retryAfter: undefined };
  };
  const post: UpstreamPost = async ({ body, token }) => {
    const batch = JSON.parse(body) as WireBatch;
    assertBatch(batch);
    if (Buffer.byteLength(body) > 16_384) throw new Error('The batch is too long.');
    sent.push(batch);
    tokens.push(token);
    const own = answerFor(batch);
    if (own !== null) return own;
    const now = nextFault();
    if (now === 'request lost') return lost;
    const answer = await carry(body, token);
    if (now === 'twice') return carry(body, token);
    return now === 'answer lost' ? { kind: 'failed', code: 'ETIMEDOUT' } : answer;
  };
  return {
    post,
    sent,
    tokens,
    /** Batches that have reached the house, each time they did. */
    delivered,
    /** Somebody between the two sends one of the delivered batches again, much too late. */
    repeat: (which: number) => {
      const { body, token } = delivered[which % delivered.length]!;
      return carry(body, token);
    },
    /** What becomes of each batch from now on. */
    line(next: () => WireFault) {
      nextFault = next;
    },
    /** Lets somebody else answer in the house's place; null leaves it to the house. */
    answerBy(other: typeof answerFor) {
      answerFor = other;
    },
  };
}

/**
 * A small bar with one meter that reports to a house by the given wire, on a clock of its own. Its plug can be pulled:
 * what is not in the file is then gone.
 */
export function openReporter(
  post: UpstreamPost,
  options: { file?: string; meters?: readonly string[] } = {},
) {
  const { file = ':memory:', meters = ['flow0'] } = options;
  let passedMs = 0;
  let clock: Partial<Moment> = {};
  const now = (): Moment => at(passedMs, clock);
  let store: Store;
  let engine: Engine;
  let sender: UpstreamSender;
  let bus: ReturnType<typeof createEventBus>;
  let scheduler: ReturnType<typeof manualScheduler>;
  let problem: string | null = null;
  let count = 0;
  const problems: (string | null)[] = [];
  const logLines: string[] = [];
  const writeLog = (details: object, message: string) =>
    void logLines.push(`${message} ${JSON.stringify(details)}`);
  let closings = 0;

  function open(): void {
    store = openStore({ file });
    start();
  }

  function start(): void {
    bus = createEventBus((fault) => {
      throw fault;
    });
    scheduler = manualScheduler();
    engine = createEngine({
      ...{ store, bus },
      ids: { next: () => `branch-${++count}` },
      settings: { maxFlowMlPerS: 200, reportsUpstream: true },
    });
    engine.hardware.provision({
      controller: { name: 'pi', modelName: 'Raspberry Pi' },
      meters: meters.map((portName) => ({ portName, ticksPerMl: 2 })),
      toggles: [],
      taps: meters.map((meterPort) => ({ name: `Tap ${meterPort}`, meterPort })),
    });
    sender = startUpstream({
      upstream: () => engine.upstream,
      target: { url: 'http://house.example/api/device-event', device },
      ...{ post, bus, scheduler },
      clock: { now },
      random: () => 0.5,
      log: { info: writeLog, warn: writeLog, error: writeLog },
      tell(newProblem) {
        problem = newProblem;
        problems.push(newProblem);
      },
      heartbeatMs: 60_000,
      version: 'tapster-test',
      meterNames: () => meters.map((port) => `pi.${port}`),
      closeTaps() {
        closings += 1;
      },
    });
  }
  open();

  return {
    now,
    get engine() {
      return engine;
    },
    get store() {
      return store;
    },
    get sender() {
      return sender;
    },
    get problem() {
      return problem;
    },
    get closings() {
      return closings;
    },
    problems,
    logLines,
    /** A glass that ended just now. */
    pour: (change: Parameters<typeof pour>[1] = {}) => engine.pours.record(pour(now(), change), 'pin', now()),
    temperature: (sensor: string, tempC: number) => engine.thermo.logAll([{ sensor, tempC, at: now() }]),
    /** Lets so much time pass without anybody looking. */
    sleep(ms: number) {
      passedMs += ms;
    },
    /** Lets time pass, and waits for what then goes out. */
    async pass(ms: number) {
      passedMs += ms;
      scheduler.advance(ms);
      await sender.idle();
    },
    /** Passes time in small steps until nothing waits, or so many steps have gone. */
    async drain(steps = 200, stepMs = 250) {
      for (let i = 0; i < steps && (i < 2 || engine.upstream.counts().waiting > 0); i++) {
        passedMs += stepMs;
        scheduler.advance(stepMs);
        await sender.idle();
      }
    },
    setClock(change: Partial<Moment>) {
      clock = change;
    },
    /** The plug is pulled and put back: nothing of memory is left, and whatever is under way answers nobody. */
    async reboot() {
      await sender.stop();
      if (file !== ':memory:') {
        store.close();
        store = openStore({ file });
      }
      start();
    },
    async close() {
      await sender.stop();
      store.close();
    },
  };
}

export type Reporter = ReturnType<typeof openReporter>;

/** Lets the branch in, with its meter on the house's right tap. */
export async function pair(server: TestServer, reporter: Reporter): Promise<void> {
  await reporter.pass(1);
  server.engine.kegboards.allow(device, server.now());
  await reporter.pass(5_000);
  await reporter.drain();
  const { id } = server.engine.hardware.meters().find(({ name }) => name === `${device}.flow0`)!;
  server.engine.taps.connectMeter(server.right.id, id);
}

export { createTestServer };
