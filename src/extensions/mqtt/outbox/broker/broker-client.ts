import type { IClientOptions, IPublishPacket, MqttClient } from 'mqtt';
import { omitUndefined } from '../../../../core/omit-undefined.ts';

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

export interface SubscribeOptions {
  /**
   * A message that is published with retain arrives with that flag (MQTT 5). Else only one that the broker had stored
   * before the subscription has it, as always with MQTT 3.1.1.
   */
  readonly retainAsPublished?: boolean;
}

/** One connection, which ends for good when it is lost. */
export interface BrokerClient {
  /** Resolves when the broker has the message, at QoS 0 when it is sent. Rejects when it refuses it or the connection ends. */
  publish(message: MqttMessage): Promise<void>;
  /** Rejects when the broker refuses a topic. */
  subscribe(topics: readonly string[], options?: SubscribeOptions): Promise<void>;
  /** Ends the connection; without `isClean` the broker sends the will. */
  end(isClean?: boolean): void;
}

interface OpenOptions {
  readonly version: ProtocolVersion;
  readonly will?: MqttMessage;
  readonly onMessage?: (message: IncomingMessage) => void;
  /** Called once, when an established connection has ended. */
  readonly onEnd?: (fault: Error | null) => void;
  /** A broker that has not answered a message for so long is not used any longer, milliseconds. */
  readonly answerMs?: number;
}

/** Time for TCP, TLS and login, milliseconds. */
const connectTimeoutMs = 15_000;
/** A broker that is silent for one and a half times this is gone, seconds. */
const keepaliveS = 30;

/** A broker that does not answer what was sent has this long until the connection is closed, milliseconds. */
const disconnectMs = 2_000;

/** Longest time for the answer to a message: each unanswered one is kept in memory, milliseconds. */
const answerMs = 20_000;

/** Longest message that is received, bytes. A command has at most 1 KiB, but MQTT allows 256 MB, as much memory as a Pi has free. */
export const maxIncomingBytes = 65_536;

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
  const limitMs = options.answerMs ?? answerMs;
  const client = mqtt.connect(clientOptions(broker, version, will));
  let fault: Error | null = null;
  // Before the connection and after its end; an `error` without a listener would end the process.
  client.on('error', (err) => {
    fault ??= err;
  });
  client.on('message', (topic: string, payload: Buffer, { retain }: IPublishPacket) =>
    onMessage?.({ topic, payload, retain }),
  );
  limitIncoming(client);
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
  const unanswered: Unanswered = new Map();
  const timer = setInterval(() => {
    const [oldestMs = Number.POSITIVE_INFINITY] = unanswered.values();
    if (performance.now() - oldestMs > limitMs) client.stream.destroy();
  }, limitMs / 4);
  timer.unref();
  client.once('close', () => {
    clearInterval(timer);
    for (const reject of unanswered.keys()) reject(new ConnectionClosed(fault));
    onEnd?.(fault);
  });
  return toBrokerClient(client, unanswered);
}

/** What the broker has not answered, in order, with the times at which it was sent. */
type Unanswered = Map<(fault: Error) => void, number>;

/** Ends the connection when a message is too long; a broker of MQTT 5 does not even send it. */
function limitIncoming(client: MqttClient): void {
  let bytes = 0;
  client.on('packetreceive', () => {
    bytes = 0;
  });
  client.stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    // Several messages may come in one chunk.
    if (bytes > 2 * maxIncomingBytes) client.stream.destroy();
  });
}

/** Rejects what is `unanswered` when the connection ends. */
function toBrokerClient(client: MqttClient, unanswered: Unanswered): BrokerClient {
  const waitForAnswer = (send: (done: (fault?: Error | null) => void) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      if (!client.connected) return reject(new ConnectionClosed());
      unanswered.set(reject, performance.now());
      send((fault) => {
        unanswered.delete(reject);
        if (fault) reject(fault);
        else resolve();
      });
    });
  return {
    publish: ({ topic, payload, qos, retain }) =>
      waitForAnswer((done) => client.publish(topic, payload, { qos, retain }, done)),
    subscribe: (topics, { retainAsPublished: rap = false } = {}) =>
      waitForAnswer((done) => client.subscribe([...topics], { qos: 1, rap }, done)),
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
    ...(version === 5 && { properties: { maximumPacketSize: maxIncomingBytes } }),
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
