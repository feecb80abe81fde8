import { assertBatch, assertResponse } from './protocol-schemas.ts';

/** A batch of events in the wire format. */
export interface WireBatch {
  readonly v: 1;
  readonly device: string;
  readonly boot_id: string;
  readonly sent_uptime_ms: number;
  readonly events: readonly WireEvent[];
}

export interface WireEvent {
  readonly id: number;
  readonly type: string;
  readonly age_ms: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface WireCommand {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The response of the server; status 0 stands for a connection that broke before the response. */
export interface WireResponse {
  readonly status: number;
  readonly body: {
    readonly commands?: readonly WireCommand[];
    readonly pairing?: { readonly state: string; readonly token?: string; readonly code?: string };
  };
}

/** Sends a batch to the server, with the board's token if it has one. */
export type Wire = (batch: WireBatch, token: string | null) => Promise<WireResponse>;

interface Grant {
  readonly id: string;
  readonly meters: readonly number[];
  readonly authDevice: string | undefined;
  readonly token: string | undefined;
}

const maxBatchEvents = 16;
const maxRememberedCommands = 16;

/**
 * Simulates a network kegboard: queue, ages, pairing, grants. Checks its batches and the responses against
 * the schemas.
 */
export class SimulatedBoard {
  readonly device: string;
  readonly #wire: Wire;
  readonly #nowMs: () => number;
  readonly meters: number;
  token: string | null = null;
  bootId: string;
  #bootedMs: number;
  #nextId = 1;
  #boots = 0;
  #pours = 0;
  #queue: { id: number; type: string; atMs: number; data: Record<string, unknown> }[] = [];
  #done: string[] = [];
  #grants = new Map<number, Grant>();
  /** The reasons of denied tokens. */
  readonly denied: string[] = [];
  /** The last pairing state from the server. */
  pairing: string | null = null;
  lastBatch: WireBatch | null = null;

  constructor(options: { device?: string; meters?: number; wire: Wire; nowMs: () => number }) {
    this.device = options.device ?? 'kegboard-0a1b2c';
    this.meters = options.meters ?? 2;
    this.#wire = options.wire;
    this.#nowMs = options.nowMs;
    this.bootId = `b${++this.#boots}`;
    this.#bootedMs = this.#nowMs() - 1_000;
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** Numbers of the meters with a grant. */
  get open(): readonly number[] {
    return [...this.#grants.keys()].sort();
  }

  /** Simulates a power cycle: queue and grants are in memory and are lost. */
  reboot(): void {
    this.bootId = `b${++this.#boots}`;
    this.#bootedMs = this.#nowMs();
    this.#nextId = 1;
    this.#queue = [];
    this.#done = [];
    this.#grants.clear();
    this.status('boot');
  }

  /** Queues an event and returns its id. */
  queueEvent(type: string, data: Record<string, unknown>, agoMs = 0): number {
    const id = this.#nextId++;
    this.#queue.push({ id, type, atMs: this.#nowMs() - agoMs, data });
    return id;
  }

  status(state: 'boot' | 'heartbeat' = 'heartbeat', extra: Record<string, unknown> = {}): number {
    const meters = Array.from({ length: this.meters }, (_, i) => ({
      meter_number: i,
      total_ticks: 0,
      ml_per_tick: 0.2,
    }));
    return this.queueEvent('status', {
      state,
      fw_version: '4.0.0',
      uptime_ms: this.#nowMs() - this.#bootedMs,
      events_dropped: 0,
      wifi_rssi_dbm: -58,
      config: { heartbeat_ms: 60_000, pour_update_ms: 1_000, queue_capacity: 16 },
      meters,
      relays: [{ relay_number: 0 }],
      ...extra,
    });
  }

  /** Queues a pour that has just ended, with the grant of its meter. Returns its pour_id. */
  pour(meter: number, volumeMl: number, options: { durationMs?: number; agoMs?: number } = {}): string {
    const grant = this.#grants.get(meter);
    const pourId = `${this.device}-${this.bootId}-p${++this.#pours}`;
    this.queueEvent(
      'pour',
      {
        meter_number: meter,
        pour_id: pourId,
        volume_ml: volumeMl,
        duration_ms: options.durationMs ?? 8_000,
        ticks: Math.round(volumeMl / 0.2),
        ml_per_tick: 0.2,
        tick_series: `0:${Math.round(volumeMl / 0.2)}`,
        ...(grant === undefined
          ? {}
          : { grant_id: grant.id, auth_device: grant.authDevice, auth_token: grant.token }),
      },
      options.agoMs,
    );
    return pourId;
  }

  attach(token: string, authDevice = 'core.rfid'): number {
    return this.queueEvent('token', { auth_device: authDevice, token, action: 'attached' });
  }

  detach(token: string, authDevice = 'core.rfid'): void {
    this.queueEvent('token', { auth_device: authDevice, token, action: 'detached' });
    for (const [meter, grant] of this.#grants) {
      if (grant.token === token) this.#grants.delete(meter);
    }
  }

  /** Returns the next batch without sending it. */
  batch(): WireBatch {
    const events = this.#queue.slice(0, maxBatchEvents).map(({ id, type, atMs, data }) => {
      return { id, type, age_ms: Math.max(0, this.#nowMs() - atMs), data };
    });
    return {
      v: 1,
      device: this.device,
      boot_id: this.bootId,
      sent_uptime_ms: Math.max(0, this.#nowMs() - this.#bootedMs),
      events,
    };
  }

  /** Sends one batch and handles the response. */
  async deliver(): Promise<WireResponse> {
    const batch = this.batch();
    assertBatch(batch);
    this.lastBatch = batch;
    const answer = await this.#wire(batch, this.token);
    this.handleResponse(batch, answer);
    return answer;
  }

  /** Sends until the queue is empty. */
  async deliverAll(): Promise<void> {
    while (this.queued > 0) {
      const { status } = await this.deliver();
      if (status !== 200) throw new Error(`The server answered the board with status ${status}.`);
    }
  }

  /** Handles a response: pairing, acknowledged events, commands. */
  handleResponse(batch: WireBatch, { status, body }: WireResponse): void {
    if (status === 0 || status >= 500) return;
    if (status === 401) {
      assertResponse(body);
      this.pairing = body.pairing!.state;
      this.token = body.pairing!.token ?? null;
      return;
    }
    const sent = new Set(batch.events.map(({ id }) => id));
    if (batch.boot_id === this.bootId) this.#queue = this.#queue.filter(({ id }) => !sent.has(id));
    if (status !== 200) return;
    assertResponse(body);
    for (const command of body.commands ?? []) this.#run(command);
  }

  #run({ id, type, data }: WireCommand): void {
    if (!this.#done.includes(id)) {
      this.#done = [...this.#done, id].slice(-maxRememberedCommands);
      if (type === 'authorize') this.#authorize(data);
      if (type === 'deny') this.denied.push(String(data.reason));
      if (type === 'deauthorize') this.#deauthorize(data.grant_ids as string[] | undefined);
    }
    this.queueEvent('command_result', { command: id, result: 'ok' });
  }

  #authorize(data: WireCommand['data']): void {
    const meters = data.meter_numbers as number[];
    if (meters.some((number) => number >= this.meters))
      throw new Error('A grant names a meter that the board does not have.');
    const { auth_device: authDevice, token, grant_id: id } = data as Record<string, string>;
    for (const number of meters) this.#grants.set(number, { id: id!, meters, authDevice, token });
  }

  #deauthorize(ids: readonly string[] | undefined): void {
    for (const [meter, { id }] of this.#grants) {
      if (ids === undefined || ids.includes(id)) this.#grants.delete(meter);
    }
  }
}
