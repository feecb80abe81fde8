import { percentFull, remainingMl } from '../../core/kegs/keg-volume.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { isSessionActive } from '../../core/pours/session-rules.ts';
import type { Beverage, Drink, Keg, Session } from '../../core/records.ts';
import type { SystemEventKind } from '../../core/system-events.ts';
import type { Engine } from '../../engine/engine.ts';

/** An event as stored in the outbox; its drink, keg or session may have changed since. */
export interface EventNote {
  readonly id: number;
  readonly kind: SystemEventKind;
  readonly time_ms: number;
  readonly drink_id: number | null;
  readonly keg_id: number | null;
  readonly session_id: number | null;
  readonly user_id: number | null;
  readonly merged_session_id?: number | null;
}

/**
 * Renders an event with its drink, keg and session in the format of existing receivers. Contains the
 * username, but no addresses, rights, tokens or texts that users wrote.
 */
export function renderWebhookBody(engine: Engine, note: EventNote, nowMs: number): string {
  const drink = note.drink_id === null ? null : (engine.drinks.get(note.drink_id)?.drink ?? null);
  const keg = note.keg_id === null ? null : engine.kegs.get(note.keg_id);
  const session = note.session_id === null ? null : engine.drinks.events.session(note.session_id);
  const timeMs = eventTimeMs(note, { drink, session });
  const username = drink?.username ?? null;
  const data = {
    id: note.id,
    kind: note.kind,
    time: formatTime(timeMs),
    ...omitUndefined({
      drink_id: note.drink_id ?? undefined,
      keg_id: note.keg_id ?? undefined,
      session_id: note.session_id ?? undefined,
      merged_session_id: note.merged_session_id ?? undefined,
      user_id: username ?? undefined,
      drink: drink ? toDrinkBody(drink) : undefined,
      keg: keg ? toKegBody(keg, engine.kegs.beverage(keg.beverageId), findSizeKey(engine, keg)) : undefined,
      session: session ? toSessionBody(session, nowMs) : undefined,
    }),
  };
  return JSON.stringify({ type: 'event', data });
}

/** Current time of the event's subject, as times are corrected once the clock is set. */
function eventTimeMs(
  note: EventNote,
  { drink, session }: { drink: Drink | null; session: Session | null },
): number {
  if (note.kind === 'session_started') return session?.startTimeMs ?? note.time_ms;
  return drink?.pourTimeMs ?? note.time_ms;
}

const findSizeKey = (engine: Engine, keg: Keg): string =>
  engine.kegs.sizes().find(({ id }) => id === keg.sizeId)?.key ?? 'other';

const toDrinkBody = (drink: Drink) => ({
  id: drink.id,
  ticks: drink.ticks,
  volume_ml: drink.volumeMl,
  time: formatTime(drink.pourTimeMs),
  duration: Math.round(drink.durationMs / 1_000),
  ...omitUndefined({
    session_id: drink.sessionId ?? undefined,
    keg_id: drink.kegId ?? undefined,
    user_id: drink.username ?? undefined,
  }),
});

const toKegBody = (keg: Keg, beverage: Beverage | null, kegType: string) => ({
  id: keg.id,
  keg_type: kegType,
  remaining_volume_ml: remainingMl(keg),
  full_volume_ml: keg.fullVolumeMl,
  served_volume_ml: keg.servedVolumeMl,
  spilled_volume_ml: keg.spilledVolumeMl,
  percent_full: Math.min(100, Math.max(0, percentFull(keg) * 100)),
  start_time: formatTime(keg.startedTimeMs),
  end_time: formatTime(keg.finishedTimeMs ?? keg.startedTimeMs),
  online: keg.state === 'on_tap',
  ...(beverage === null
    ? {}
    : {
        beverage: {
          id: beverage.id,
          name: beverage.name,
          producer: { id: beverage.producer.id, name: beverage.producer.name },
          beverage_type: beverage.beverageType,
          ...omitUndefined({
            style: beverage.style ?? undefined,
            abv_percent: beverage.abvPercent ?? undefined,
          }),
          color_hex: beverage.colorHex,
        },
      }),
});

const toSessionBody = (session: Session, nowMs: number) => ({
  id: session.id,
  start_time: formatTime(session.startTimeMs),
  end_time: formatTime(session.endTimeMs),
  volume_ml: session.volumeMl,
  name: session.name ?? '',
  is_active: isSessionActive(session, nowMs),
});

/** Formats UTC with a numeric offset, without microseconds if they are zero. */
function formatTime(wallMs: number): string {
  const iso = new Date(wallMs).toISOString();
  const millis = iso.slice(20, 23);
  return `${iso.slice(0, 19)}${millis === '000' ? '' : `.${millis}000`}+00:00`;
}
