import type { Problem } from '../../../../core/health/problems.ts';
import type { Log, ReportProblem, Scheduler } from '../../../../outbox/outbox-interfaces.ts';
import {
  type Broker,
  type BrokerClient,
  type IncomingMessage,
  type MqttMessage,
  openBrokerClient,
  type ProtocolVersion,
  type SubscribeOptions,
} from './broker-client.ts';
import { mayBeVersion, toBrokerProblem } from './broker-problem.ts';

/** First and longest delay between two attempts, milliseconds. */
const firstDelayMs = 1_000;
const maxDelayMs = 60_000;
/** Failures in a row before a problem is reported: a broker that restarts is none. */
const failuresToReport = 3;
/**
 * A connection that ends earlier counts as a failure, milliseconds: another client with our id would end it again and again.
 */
const stableMs = 10_000;

interface ConnectionParts {
  readonly broker: Broker;
  /** `auto` takes 5, then 3.1.1. */
  readonly protocol: 'auto' | '5' | '3.1.1';
  readonly will: MqttMessage;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly reportProblem: ReportProblem;
  /** 0 to 1: spreads the attempts of several machines. */
  readonly random: () => number;
  /** Called at each connection, before anything else is published. */
  readonly onConnect: () => void;
  readonly onMessage: (message: IncomingMessage) => void;
}

/** A connection that is opened again whenever it ends. */
export interface Connection {
  readonly isConnected: boolean;
  /** The last problem; null while connected. */
  readonly problem: Problem | null;
  readonly version: ProtocolVersion | null;
  publish(message: MqttMessage): Promise<void>;
  subscribe(topics: readonly string[], options?: SubscribeOptions): Promise<void>;
  /** Ends it for good; the will is not sent. */
  stop(): void;
}

/** Connects at once, and again with growing delays. Never throws. */
export function startConnection(parts: ConnectionParts): Connection {
  const { broker, scheduler, log, reportProblem } = parts;
  let client: BrokerClient | null = null;
  let version: ProtocolVersion = parts.protocol === '3.1.1' ? 4 : 5;
  let failures = 0;
  let problem: Problem | null = null;
  let isStopped = false;
  let cancelRetry: () => void = () => {};
  let cancelStable: () => void = () => {};

  async function open(): Promise<BrokerClient> {
    const options = (of: ProtocolVersion) => ({
      version: of,
      will: parts.will,
      onMessage: parts.onMessage,
      onEnd,
    });
    try {
      return await openBrokerClient(broker, options(version));
    } catch (fault) {
      if (parts.protocol !== 'auto' || !mayBeVersion(fault)) throw fault;
      const other = version === 5 ? 4 : 5;
      const opened = await openBrokerClient(broker, options(other)).catch(() => null);
      if (opened === null) throw fault;
      version = other;
      return opened;
    }
  }

  async function attempt(): Promise<void> {
    try {
      const opened = await open();
      if (isStopped) return opened.end();
      client = opened;
      problem = null;
      cancelStable = scheduler.after(stableMs, () => {
        failures = 0;
        reportProblem([]);
      });
      log.info({ host: broker.host, version: version === 5 ? '5' : '3.1.1' }, 'connected to the MQTT broker');
      parts.onConnect();
    } catch (fault) {
      onFailure(fault);
    }
  }

  function onFailure(fault: unknown): void {
    if (isStopped) return;
    problem = toBrokerProblem(fault, broker);
    if (++failures === 1) log.info({ err: fault }, 'the MQTT broker is not reached; trying again');
    if (failures >= failuresToReport) reportProblem([problem]);
    const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(failures - 1, 10));
    cancelRetry = scheduler.after(delayMs * (0.75 + parts.random() / 2), () => void attempt());
  }

  function onEnd(fault: Error | null): void {
    client = null;
    cancelStable();
    onFailure(fault);
  }

  void attempt();
  return {
    get isConnected() {
      return client !== null;
    },
    get problem() {
      return problem;
    },
    get version() {
      return client === null ? null : version;
    },
    publish: async (message) => requireClient().publish(message),
    subscribe: async (topics, options) => requireClient().subscribe(topics, options),
    stop() {
      isStopped = true;
      cancelRetry();
      cancelStable();
      reportProblem([]);
      client?.end();
      client = null;
    },
  };

  function requireClient(): BrokerClient {
    if (client === null) throw new Error('The MQTT broker is not connected.');
    return client;
  }
}
