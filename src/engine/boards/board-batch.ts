/** What a board says happened, read and within its limits. */
export type BoardReport =
  /** A finished pour: the record. */
  | {
      readonly kind: 'pour';
      readonly meterNumber: number;
      readonly pourId: string;
      readonly volumeMl: number;
      readonly durationMs: number;
      readonly grantId: string | null;
      readonly authDevice: string | null;
      readonly token: string | null;
      readonly ticks: number;
      readonly series: string | null;
      /** The event as it came, for a pour that cannot be recorded after all. */
      readonly raw: string;
    }
  /** How far a running pour has come; shown, never kept. */
  | {
      readonly kind: 'pour_update';
      readonly meterNumber: number;
      readonly pourId: string;
      readonly volumeMl: number;
    }
  | { readonly kind: 'temperature'; readonly sensor: string; readonly tempC: number }
  /** A token came, which is always a question, or went. */
  | {
      readonly kind: 'token';
      readonly authDevice: string;
      readonly token: string;
      readonly action: 'attached' | 'detached';
    }
  | BoardStatus
  | {
      readonly kind: 'command_result';
      readonly command: string;
      readonly result: 'ok' | 'error' | 'unsupported';
      readonly message: string;
    }
  | { readonly kind: 'grant_end'; readonly grantId: string; readonly reason: string }
  /** Of a type that only later boards and servers know. */
  | { readonly kind: 'ignored' }
  /** Of a known type, but not to be understood; `raw` is the event as it came. */
  | { readonly kind: 'unusable'; readonly type: string; readonly reason: string; readonly raw: string };

/** How a board is, and what is connected to it; an inventory that is present is complete. */
export interface BoardStatus {
  readonly kind: 'status';
  readonly fwVersion: string;
  readonly uptimeMs: number;
  readonly eventsDropped: number;
  /** Its settings, JSON. */
  readonly config: string;
  readonly rssiDbm: number | null;
  readonly meters: readonly { readonly meterNumber: number; readonly mlPerTick: number }[] | null;
  readonly relayNumbers: readonly number[] | null;
}

/** One event. Boards have no clock: they tell how old it is. */
export interface BoardEvent {
  /** Rises by one per event within a boot. */
  readonly id: number;
  /** Age when the batch was sent, milliseconds. */
  readonly ageMs: number;
  readonly report: BoardReport;
}

/** Up to sixteen events of one boot, oldest first. */
export interface BoardBatch {
  readonly bootId: string;
  readonly events: readonly BoardEvent[];
}
