import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Engine, OutboxMessage } from '../../../engine/engine.ts';
import { roundMl, toBeverage, toIso, toKegLevel, toUser } from './bar-payloads.ts';
import type { EventPayloadBody } from './payload-schemas.ts';

/** What the outbox stores of an event: ids, since drinks and kegs may be corrected before it is sent. */
interface EventNote {
  readonly drink_id?: number | null;
  readonly keg_id?: number | null;
  readonly session_id?: number | null;
  readonly merged_session_id?: number | null;
  readonly tap_id?: number | null;
  readonly reason?: string;
  readonly spill_id?: number;
  readonly volume_ml?: number;
  readonly correction_id?: number;
  readonly action?: string;
  readonly subject_kind?: string;
  readonly subject_id?: string;
  readonly alarm?: string;
  readonly alarm_id?: number;
  readonly subject?: string;
}

/** Renders an event with its drink and keg as they are now. */
export function renderEvent(
  engine: Engine,
  message: Pick<OutboxMessage, 'uid' | 'topic' | 'payload' | 'createdTimeMs'>,
  { publishesNames }: { readonly publishesNames: boolean },
): EventPayloadBody {
  const note = JSON.parse(message.payload) as EventNote;
  const drink = note.drink_id == null ? null : (engine.drinks.get(note.drink_id)?.drink ?? null);
  const keg = note.keg_id == null ? null : engine.kegs.get(note.keg_id);
  const session = note.session_id == null ? null : engine.drinks.events.session(note.session_id);
  const kind = message.topic as EventPayloadBody['kind'];
  const correctedDrink =
    note.subject_kind === 'drink' ? (engine.drinks.get(Number(note.subject_id))?.drink ?? null) : null;
  // Times are corrected once the clock is set.
  const timeMs =
    kind === 'session_started'
      ? (session?.startTimeMs ?? message.createdTimeMs)
      : (drink?.pourTimeMs ?? message.createdTimeMs);
  const beverage = keg && engine.kegs.beverage(keg.beverageId);
  const tapId = note.tap_id ?? drink?.tapId ?? correctedDrink?.tapId ?? findTapOfKeg(engine, keg?.id ?? null);
  return {
    id: message.uid,
    kind,
    time: toIso(timeMs),
    tap_id: tapId,
    ...(drink === null ? {} : { drink: toDrink(drink, publishesNames) }),
    ...(keg === null
      ? {}
      : {
          keg: {
            id: keg.id,
            ...toKegLevel(keg),
            beverage: beverage && toBeverage(beverage, engine),
          },
        }),
    ...omitUndefined({
      session_id: session?.id,
      merged_session_id: note.merged_session_id ?? undefined,
      held_reason: note.reason,
      spill:
        note.spill_id === undefined ? undefined : { id: note.spill_id, ml: roundMl(note.volume_ml ?? 0) },
      correction:
        note.correction_id === undefined
          ? undefined
          : {
              id: note.correction_id,
              action: note.action ?? '',
              subject_kind: note.subject_kind ?? '',
              subject_id: note.subject_id ?? '',
            },
      alarm:
        note.alarm === undefined
          ? undefined
          : { id: note.alarm_id ?? 0, kind: note.alarm, subject: note.subject ?? '' },
    }),
  };
}

const toDrink = (
  drink: {
    readonly id: number;
    readonly volumeMl: number;
    readonly pourTimeMs: number;
    readonly durationMs: number;
    readonly username: string | null;
  },
  publishesNames: boolean,
) => ({
  id: drink.id,
  ml: roundMl(drink.volumeMl),
  time: toIso(drink.pourTimeMs),
  duration_s: Math.round(drink.durationMs / 100) / 10,
  ...toUser(drink, publishesNames),
});

/** The tap that a keg is on now; null for one that was taken off. */
function findTapOfKeg(engine: Engine, kegId: number | null): number | null {
  if (kegId === null) return null;
  return engine.taps.list().find(({ keg }) => keg?.id === kegId)?.tap.id ?? null;
}
