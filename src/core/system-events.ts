/** The kinds of the events feed. */
export const systemEventKinds = [
  'keg_tapped',
  'keg_ended',
  'session_started',
  'session_joined',
  'session_merged',
  'drink_poured',
  'keg_volume_low',
] as const;

export type SystemEventKind = (typeof systemEventKinds)[number];

/** An entry of the events feed; carries ids, never addresses of people. */
export interface SystemEvent {
  readonly id: number;
  readonly kind: SystemEventKind;
  readonly timeMs: number;
  readonly drinkId: number | null;
  readonly kegId: number | null;
  readonly sessionId: number | null;
  readonly username: string | null;
  /** Of `session_merged`: the session that became part of `sessionId`. */
  readonly mergedSessionId: number | null;
}
