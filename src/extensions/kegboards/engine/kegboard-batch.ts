/** A board's report, parsed and validated. */
export type KegboardReport =
  /** A finished pour, which becomes a drink. */
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
      /** The event as received, for a pour that cannot be recorded. */
      readonly raw: string;
    }
  /** Progress of a running pour; shown, never stored. */
  | {
      readonly kind: 'pour_update';
      readonly meterNumber: number;
      readonly pourId: string;
      readonly volumeMl: number;
    }
  | { readonly kind: 'temperature'; readonly sensor: string; readonly tempC: number }
  /** A token was attached, which always requires an answer, or detached. */
  | {
      readonly kind: 'token';
      readonly authDevice: string;
      readonly token: string;
      readonly action: 'attached' | 'detached';
    }
  | KegboardStatus
  | {
      readonly kind: 'command_result';
      readonly command: string;
      readonly result: 'ok' | 'error' | 'unsupported';
      readonly message: string;
    }
  | { readonly kind: 'grant_end'; readonly grantId: string; readonly reason: string }
  /** An unknown type, as later boards may send. */
  | { readonly kind: 'ignored' }
  /** A known type with invalid content. */
  | {
      readonly kind: 'unusable';
      readonly type: string;
      /** For programmers. */
      readonly reason: string;
      /** Names of the wrong fields. */
      readonly fields: string;
      /** The event as received. */
      readonly raw: string;
    };

/** State and inventory of a board; an inventory that is not null is complete. */
export interface KegboardStatus {
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

/** One event. Boards have no clock: they send its age. */
export interface KegboardEvent {
  /** Increases by one per event within a boot. */
  readonly id: number;
  /** Age when the batch was sent, milliseconds. */
  readonly ageMs: number;
  readonly report: KegboardReport;
}

/** Up to sixteen events of one boot, oldest first. */
export interface KegboardBatch {
  readonly bootId: string;
  readonly events: readonly KegboardEvent[];
}
