import type { IClientOptions, IPublishPacket, MqttClient } from 'mqtt';
import { omitUndefined } from '../../core/omit-undefined.ts';

/** Where the broker is, and as whom to connect to it. */
export interface Broker {
  readonly host: string;
  readonly port: number;
  readonly usesTls: boolean;
  /** PEM; empty: the authorities that the system trusts. */
  readonly ca: string;
  /** PEM; empty: no client certificate. */
  readonly certificate: string;
  readonly key: string;
  /** Empty: no login. */
  readonly username: string;
  readonly password: string;
  /** Two clients with one id disconnect each other for ever. */
  readonly clientId: string;
}

export interface MqttMessage {
  readonly topic: string;
  readonly payload: string;
  readonly qos: 0 | 1;
  readonly retain: boolean;
}

/** A message that arrived. */
export interface IncomingMessage {
  readonly topic: string;
  readonly payload: Buffer;
  readonly retain: boolean;
}

export type ProtocolVersion = 4 | 5;

/** One connection, which ends for good when it is lost. */
export interface BrokerClient {
  /** Resolves when the broker has the message, at QoS 0 when it is sent. Rejects when it refuses it or the connection ends. */
  publish(message: MqttMessage): Promise<void>;
  /** Rejects when the broker refuses a topic. */
  subscribe(topics: readonly string[]): Promise<void>;
  /** Ends the connection; without `isClean` the broker sends the will. */
  end(isClean?: boolean): void;
}

interface OpenOptions {
  readonly version: ProtocolVersion;
  readonly will?: MqttMessage;
  readonly onMessage?: (message: IncomingMessage) => void;
  /** Called once, when an established connection has ended. */
  readonly onEnd?: (fault: Error | null) => void;
}

/** Time for TCP, TLS and login, milliseconds. */
const connectTimeoutMs = 15_000;
/** A broker that is silent for one and a half times this is gone, seconds. */
const keepaliveS = 30;

/** A broker that does not answer what was sent has this long until the connection is closed, milliseconds. */
const disconnectMs = 2_000;

/** The connection ended before the broker answered. */
export class ConnectionClosed extends Error {
  constructor(cause?: unknown) {
    super('The connection was closed.', { cause });
  }
}

/**
 * Connects once. Rejects with the first error. The library is loaded with the first call; its own reconnecting is not
 * used, since it neither backs off nor changes the protocol version.
 */
export async function openBrokerClient(broker: Broker, options: OpenOptions): Promise<BrokerClient> {
  const { default: mqtt } = await import('mqtt');
  const { version, will, onMessage, onEnd } = options;
  const client = mqtt.connect(clientOptions(broker, version, will));
  let fault: Error | null = null;
  // Before the connection and after its end; an `error` without a listener would end the process.
  client.on('error', (err) => {
    fault ??= err;
  });
  client.on('message', (topic: string, payload: Buffer, { retain }: IPublishPacket) =>
    onMessage?.({ topic, payload, retain }),
  );
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve());
    client.once('close', () => {
      client.end(true);
      reject(fault ?? new ConnectionClosed());
    });
    client.once('error', (err) => {
      client.end(true);
      reject(err);
    });
  });
  const unanswered = new Set<Reject>();
  client.once('close', () => {
    for (const reject of unanswered) reject(new ConnectionClosed(fault));
    onEnd?.(fault);
  });
  return toBrokerClient(client, unanswered);
}

type Reject = (fault: Error) => void;

/** Rejects what is `unanswered` when the connection ends. */
function toBrokerClient(client: MqttClient, unanswered: Set<Reject>): BrokerClient {
  const waitForAnswer = (send: (done: (fault?: Error | null) => void) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      if (!client.connected) return reject(new ConnectionClosed());
      unanswered.add(reject);
      send((fault) => {
        unanswered.delete(reject);
        if (fault) reject(fault);
        else resolve();
      });
    });
  return {
    publish: ({ topic, payload, qos, retain }) =>
      waitForAnswer((done) => client.publish(topic, payload, { qos, retain }, done)),
    subscribe: (topics) => waitForAnswer((done) => client.subscribe([...topics], { qos: 1 }, done)),
    end: (isClean = true) => {
      if (!isClean) {
        client.stream.destroy();
        client.end(true);
        return;
      }
      // Not forced: without the packet DISCONNECT the broker publishes the will.
      client.end(false);
      setTimeout(() => client.stream.destroy(), disconnectMs).unref();
    },
  };
}

function clientOptions(
  broker: Broker,
  version: ProtocolVersion,
  will: MqttMessage | undefined,
): IClientOptions {
  const { host, port, usesTls, ca, certificate, key, username, password, clientId } = broker;
  const text = (value: string) => (value === '' ? undefined : value);
  return {
    host,
    port,
    clientId,
    protocol: usesTls ? 'mqtts' : 'mqtt',
    protocolVersion: version,
    // Nothing may wait at the broker for us: commands would be carried out hours later.
    clean: true,
    keepalive: keepaliveS,
    connectTimeout: connectTimeoutMs,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    rejectUnauthorized: true,
    // Its `worker` variant would load workers for a timer.
    timerVariant: 'native',
    ...omitUndefined({
      username: text(username),
      password: text(password),
      ca: text(ca),
      cert: text(certificate),
      key: text(key),
      will: will && { ...will, payload: Buffer.from(will.payload) },
    }),
  };
}
