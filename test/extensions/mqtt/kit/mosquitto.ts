import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mqtt, { type MqttClient } from 'mqtt';
import { vi } from 'vitest';
import { acceptsTcp, freePort } from '../../../kit/ports.ts';

/** It exits with 3 after printing its usage. */
const isInstalled = spawnSync('mosquitto', ['-h']).error === undefined;

/** False on a developer's machine without Mosquitto (Debian: `mosquitto`); the checks set the variable and always run it. */
export const hasMosquitto = isInstalled || process.env.TAPSTER_REQUIRE_MOSQUITTO === '1';

if (!hasMosquitto) console.warn('Mosquitto is not installed, so MQTT is not tested against a broker.');

/** A real broker in a folder of its own. */
export interface TestBroker {
  readonly port: number;
  readonly path: string;
  start(): Promise<void>;
  /** SIGKILL, as a power cut; what it had not written is lost. */
  kill(): Promise<void>;
  remove(): Promise<void>;
}

/** Starts Mosquitto on a free port; `lines` are added to its configuration, `prepare` makes the files that they name. */
export async function startMosquitto(
  lines: readonly string[] = ['allow_anonymous true'],
  prepare: (path: string) => void = () => {},
): Promise<TestBroker> {
  const path = mkdtempSync(join(tmpdir(), 'tapster-broker-'));
  prepare(path);
  const port = await freePort();
  const file = join(path, 'mosquitto.conf');
  const text = [
    `listener ${port} 127.0.0.1`,
    // Else it changes to a user that may not write to the folder.
    'user root',
    'persistence true',
    `persistence_location ${path}/`,
    ...lines.map((line) => line.replaceAll('{path}', path)),
  ];
  writeFileSync(file, `${text.join('\n')}\n`);
  let child: ChildProcess | null = null;
  const broker: TestBroker = {
    port,
    path,
    async start() {
      child = spawn('mosquitto', ['-c', file], { stdio: 'ignore' });
      await vi.waitUntil(() => acceptsTcp(port), { timeout: 20_000, interval: 20 });
    },
    async kill() {
      const ended = child === null ? null : once(child, 'exit');
      child?.kill('SIGKILL');
      child = null;
      await ended;
    },
    async remove() {
      await broker.kill();
      rmSync(path, { recursive: true, force: true });
    },
  };
  await broker.start();
  return broker;
}

/** A client of the test, which sees what others would see. */
export interface Observer {
  /** Every message so far, in order. */
  readonly messages: { readonly topic: string; readonly payload: string; readonly retain: boolean }[];
  readonly client: MqttClient;
  /** Resolves with the first message, of those so far and later, for which `isWanted` is true. */
  waitFor(
    isWanted: (message: Observer['messages'][number]) => boolean,
  ): Promise<Observer['messages'][number]>;
  publish(topic: string, payload: string | object, options?: { retain?: boolean }): Promise<void>;
  close(): void;
}

/** Subscribes to `filter`; a persistent one gets also what was published while it was away. */
export async function observe(
  port: number,
  { filter = '#', clientId }: { filter?: string; clientId?: string } = {},
): Promise<Observer> {
  const client = mqtt.connect({
    host: '127.0.0.1',
    port,
    protocol: 'mqtt',
    reconnectPeriod: 100,
    protocolVersion: 4,
    ...(clientId === undefined ? {} : { clientId, clean: false }),
  });
  client.on('error', () => {});
  const messages: Observer['messages'] = [];
  client.on(
    'message',
    (topic, payload, { retain }) => void messages.push({ topic, payload: payload.toString(), retain }),
  );
  await new Promise<void>((resolve) => void client.once('connect', () => resolve()));
  await client.subscribeAsync(filter, { qos: 1 });
  return {
    messages,
    client,
    waitFor: (isWanted) => vi.waitUntil(() => messages.find(isWanted), { timeout: 30_000, interval: 20 }),
    async publish(topic, payload, { retain = false } = {}) {
      const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
      await client.publishAsync(topic, text, { qos: 1, retain });
    },
    close: () => void client.end(true),
  };
}

/** The retained messages of the broker by topic. */
export async function readRetained(port: number, filter = '#'): Promise<Map<string, string>> {
  const observer = await observe(port, { filter });
  // Retained messages come before whatever is published afterwards.
  const marker = `marker/${Math.random()}`;
  await observer.client.subscribeAsync(marker, { qos: 1 });
  await observer.publish(marker, 'end');
  await observer.waitFor(({ topic }) => topic === marker);
  observer.close();
  return new Map(
    observer.messages.filter(({ retain }) => retain).map(({ topic, payload }) => [topic, payload]),
  );
}
