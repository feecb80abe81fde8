import Type, { type Static } from 'typebox';
import { rateDefaults } from '../../../core/measurement/tap-rate.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { parseTickSeries } from '../../../core/pours/tick-series.ts';
import { type Drink, pourSources } from '../../../core/records.ts';
import type { DrinkUncertainty, Engine } from '../../../engine/engine.ts';
import { isStaffRole, userRole } from '../../pipeline/access.ts';
import type { RouteContext } from '../../routes/route-context.ts';
import {
  Closed,
  DurationSeconds,
  Id,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  named,
  TextId,
  Ticks,
  VolumeMl,
} from '../../routes/schemas.ts';
import { PagingJson } from './paging.ts';

export const PourSourceJson = Type.Enum([...pourSources], {
  description:
    'How the pour was reported: `pin` by the GPIO lines of this machine, `serial` by a serial board at it, `device` by a ' +
    'network kegboard with device events, `post` by a controller through the legacy API, `manual` by staff by hand, ' +
    '`import` from another system.',
});

export const TicksLostJson = Nullable(
  Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    'x-unit': 'ticks',
    description: 'Ticks known to be missing; 0 when none is, null when the source cannot tell.',
  }),
);

/** When the ticks of a pour were counted. */
export const TickSeriesJson = Type.Array(
  Closed({
    ms: Type.Integer({ minimum: 0, 'x-unit': 'ms', description: 'Milliseconds since the first tick.' }),
    ticks: Ticks,
  }),
  {
    description:
      'When the ticks were counted, relative to the first one, at most 256 pairs; empty when unknown.',
  },
);

export const tickSeriesJson = ({ series }: Pick<Drink, 'series'>): Static<typeof TickSeriesJson> =>
  series === null ? [] : [...(parseTickSeries(series) ?? [])];

export const ClaimedUsernameJson = Nullable(
  Type.String({
    maxLength: 128,
    description: 'Username sent with the pour for which there was no account; null without one. Staff only.',
  }),
);

/** Uncertainty of a sum; volumes that were given count as those of an uncalibrated meter. */
export const uncertaintyField = (what: string) =>
  Type.Number({
    minimum: 0,
    'x-unit': 'mL',
    description: `Half width of the 95 % interval of ${what} in millilitres.`,
  });

const DrinkPartJson = Closed({
  keg_id: Nullable({ ...Id, description: 'Id of the keg; null where none was on the tap.' }),
  ticks: Ticks,
  volume_ml: VolumeMl,
});

export const DrinkJson = named(
  'Drink',
  Closed(
    {
      id: Id,
      volume_ml: VolumeMl,
      uncertainty_ml: Nullable(
        Type.Number({
          minimum: 0,
          'x-unit': 'mL',
          description:
            'Half width of the 95 % interval of the volume in millilitres; null when unknown, see `uncertainty_unknown`.',
        }),
      ),
      uncertainty_unknown: Maybe(
        Type.Enum(['volume_given', 'meter_unknown'], {
          description:
            'Why the uncertainty is unknown: a controller, a request or a person gave the volume, or there is no such meter any more. Absent otherwise.',
        }),
      ),
      user_id: Nullable(Type.String({ description: 'Username of the drinker; null when unknown.' })),
      ticks: Ticks,
      ticks_lost: TicksLostJson,
      session_id: Nullable({
        ...TextId,
        description: 'Id of the session, as text; null while held or without one.',
      }),
      is_valid: Type.Boolean({ description: 'False while the pour is held for review.' }),
      pour_time: { ...IsoSeconds, description: 'UTC time of the end of the pour.' },
      time_certain: Type.Boolean({
        description: 'False when `pour_time` comes from a clock that was not set.',
      }),
      duration: DurationSeconds,
      keg_id: Nullable({
        ...Id,
        description:
          'Id of the keg that was on the tap while it flowed; of several, the one that most of it came from; null without one.',
      }),
      beverage_name: Nullable(
        Type.String({
          maxLength: 255,
          description: 'Name of the beverage of that keg; null without a keg.',
        }),
      ),
      parts: Maybe(
        Type.Array(DrinkPartJson, {
          description:
            'What came from which keg, in order, where the keg was changed while it flowed; absent when all came from one keg. ' +
            'The parts add up to the drink.',
        }),
      ),
      tap_id: Nullable({
        ...TextId,
        description: 'Id of the tap, as text; null when no tap owned the meter, or the tap was deleted.',
      }),
      meter: Nullable(
        Type.String({
          maxLength: 257,
          description:
            'Full name of the meter at the time of the pour, such as `pi.flow0`; null when none counted it.',
        }),
      ),
      source: PourSourceJson,
      recovered: Type.Boolean({
        description: 'True when the pour was completed from its checkpoint after a power cut or crash.',
      }),
      shout: Maybe(
        Type.String({ maxLength: 1000, description: 'Comment of the drinker; absent without one.' }),
      ),
      held_reason: Maybe(
        Type.String({ description: 'Why the pour is held for review; absent when it is not.' }),
      ),
      flow_while_shut: Maybe(
        Type.Literal(true, {
          description:
            'Beer flowed although the tap’s valve was shut: it is stuck or bypassed. Absent otherwise.',
        }),
      ),
      gas_ticks: Maybe({
        ...Ticks,
        description:
          'Those of the `ticks` that were gas, which followed the beer of an empty keg. They are not in the volume. Absent without any.',
      }),
      foam_ticks: Maybe({
        ...Ticks,
        description:
          'Those of the `ticks` that were gas and foam before the beer of a fresh keg. A quarter of them is in the volume, give or take ' +
          'another quarter. Absent without any.',
      }),
      gas_onset_ms: Maybe(
        Type.Integer({
          minimum: 0,
          'x-unit': 'ms',
          description:
            'When the flow first jumped above the tap’s usual rate, after the first tick. Without `gas_ticks` it was foam. Absent when it never did.',
        }),
      ),
      rate_default: Maybe(
        Type.Enum([...rateDefaults], {
          description:
            'What stood in for the tap’s usual rate when gas was looked for, since that is learned from ten clean pours: a default for ' +
            'the meter’s `model`, by the meter’s `calibration`, or for `any_meter`, where neither is known and gas is hardly found. ' +
            'Absent when the rate was known, and for pours that others reported.',
        }),
      ),
      claimed_username: Maybe(ClaimedUsernameJson),
      auth_token: Maybe(
        Nullable(
          Type.String({
            maxLength: 256,
            description:
              'Auth token sent with the pour, `device|value` or a value alone; null without one. Staff only, not by PIN.',
          }),
        ),
      ),
    },
    { description: 'A drink: one pour that was recorded.' },
  ),
);

/** A page of drinks. */
export const DrinkPageJson = Closed({
  paging: PagingJson,
  drinks: Type.Array(DrinkJson, { description: 'The drinks of this page.' }),
});

/** View of a drink for everybody. */
export function drinkJson({ drinks: { uncertainties }, kegs }: Pick<Engine, 'drinks' | 'kegs'>) {
  const beverageName = beverageNames(kegs);
  return (drink: Drink): Static<typeof DrinkJson> => ({
    ...drinkFields(drink),
    beverage_name: beverageName(drink.kegId),
    ...uncertaintyJson(uncertainties.drink(drink)),
  });
}

/** Returns the name of the beverage of a keg, which is looked up once: a page of drinks has few kegs. */
export function beverageNames(kegs: Engine['kegs']): (kegId: number | null) => string | null {
  const names = new Map<number, string | null>();
  return (kegId) => {
    if (kegId === null) return null;
    const known = names.get(kegId);
    if (known !== undefined) return known;
    const keg = kegs.get(kegId);
    const name = keg && (kegs.beverage(keg.beverageId)?.name ?? null);
    names.set(kegId, name);
    return name;
  };
}

const uncertaintyJson = (uncertainty: DrinkUncertainty) =>
  uncertainty.ml === null
    ? { uncertainty_ml: null, uncertainty_unknown: uncertainty.reason }
    : { uncertainty_ml: uncertainty.ml };

const drinkFields = (drink: Drink) => ({
  id: drink.id,
  volume_ml: drink.volumeMl,
  user_id: drink.username,
  ticks: drink.ticks,
  ticks_lost: drink.ticksLost,
  session_id: drink.sessionId === null ? null : String(drink.sessionId),
  is_valid: drink.isValid,
  pour_time: isoSeconds(drink.pourTimeMs),
  time_certain: drink.timeCertain,
  duration: Math.round(drink.durationMs / 1000),
  keg_id: drink.kegId,
  ...(drink.parts && {
    parts: drink.parts.map(({ kegId, ticks, volumeMl }) => ({ keg_id: kegId, ticks, volume_ml: volumeMl })),
  }),
  tap_id: drink.tapId === null ? null : String(drink.tapId),
  meter: drink.meter,
  source: drink.source,
  recovered: drink.recovered,
  ...omitUndefined({
    shout: drink.shout ?? undefined,
    held_reason: drink.heldReason ?? undefined,
    flow_while_shut: drink.flowWhileShut ? (true as const) : undefined,
    gas_ticks: drink.gasTicks > 0 ? drink.gasTicks : undefined,
    foam_ticks: drink.foamTicks > 0 ? drink.foamTicks : undefined,
    gas_onset_ms: drink.gasOnsetMs ?? undefined,
    rate_default: drink.rateDefault ?? undefined,
  }),
});

/**
 * View of a drink for the requester: staff also see the claimed username and, unless they act by PIN on a shared tablet,
 * the auth token, as in the list of auth tokens.
 */
export function drinkJsonFor({
  engine,
  user,
  tablet,
}: Pick<RouteContext, 'engine' | 'user' | 'tablet'>): (drink: Drink) => Static<typeof DrinkJson> {
  const toJson = drinkJson(engine);
  if (!isStaffRole(userRole(user))) return toJson;
  return (drink) => ({
    ...toJson(drink),
    claimed_username: drink.claimedUsername,
    ...(tablet === null ? { auth_token: drink.authToken } : {}),
  });
}
