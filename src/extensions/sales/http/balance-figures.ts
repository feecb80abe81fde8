import Type, { type Static } from 'typebox';
import { fromMinor } from '../../../core/kegs/money.ts';
import { roundMl } from '../../../core/measurement/round-ml.ts';
import { uncertaintyField } from '../../../http/current/shared/drink-views.ts';
import { Closed, Nullable, named, TotalMl } from '../../../http/routes/schemas.ts';
import { type Balance, type BalanceParts, pouredUl, sellingYield } from '../core/balance/balance.ts';
import { fromUl } from '../core/balance/facts.ts';
import type { Overpour } from '../core/balance/fills.ts';
import type { HotTime } from '../core/balance/times.ts';
import { toVerdict, type Verdict } from '../core/balance/verdict.ts';

export const volume = (description: string) => ({ ...TotalMl, description });
export const signed = (description: string) => Type.Number({ 'x-unit': 'mL', description });

export const VerdictJson = named(
  'BalanceVerdict',
  Closed(
    {
      kind: Type.Enum(['poured_not_rung', 'rung_not_poured', 'agrees', 'not_compared'], {
        description:
          'The direction of the difference; `agrees`: it is within its uncertainty; `not_compared`: nothing that was poured is in a product of the till that is assigned, so nothing is known: see `unmapped` and `not_sold` in `findings`.',
      }),
      volume_ml: volume('The difference in millilitres, without a sign.'),
      uncertainty_ml: uncertaintyField('`volume_ml`'),
      servings: Nullable(
        Type.Number({ minimum: 0, description: 'In servings of the mean size; null where none was sold.' }),
      ),
      value: Nullable(
        Type.Number({
          minimum: 0,
          description: 'At the mean net price (without tax), in the currency; null without sales.',
        }),
      ),
      value_uncertainty: Nullable(
        Type.Number({ minimum: 0, description: 'Half width of the 95 % interval of `value`.' }),
      ),
      share: Nullable(
        Type.Number({ minimum: 0, description: 'Share of what was poured; null where nothing was.' }),
      ),
    },
    { description: 'What a balance says.' },
  ),
);

export const partFields = {
  poured_ml: volume(
    'All beer that left the line: drinks, missed ticks, spills, beer lost by cleaning, drips.',
  ),
  missed_ml: volume('Beer of ticks that are known to be missed; part of `poured_ml`.'),
  sold_ml: volume('Beer that the till sold.'),
  comps_ml: signed('Rung up as given to guests.'),
  staff_ml: signed('Rung up as drinks of staff.'),
  samples_ml: signed('Rung up as samples.'),
  spilled_ml: volume('Recorded as spilled.'),
  cleaning_ml: volume('Lost by line cleaning.'),
  drips_ml: volume('Drips.'),
  gas_ml: volume('Gas that the meter counted; in no other number.'),
  held_ml: volume('Held for review; in no other number.'),
};

export const balanceFields = {
  ...partFields,
  sold_ml: signed('Beer that the till sold; negative if more was taken back.'),
  drinks: Type.Integer({ minimum: 0, description: 'Number of drinks.' }),
  held: Type.Integer({ minimum: 0, description: 'Number of held pours.' }),
  servings: Type.Number({ description: 'Servings sold.' }),
  net_sales: Type.Number({ description: 'Net sales in the currency, without tax.' }),
  yield: Nullable(Type.Number({ description: '`sold_ml` ÷ `poured_ml`; null where nothing was poured.' })),
  verdict: VerdictJson,
};

export const SizeJson = Closed(
  {
    liquid_ml: volume('Beer in the serving as it is sold.'),
    servings: Type.Number({ minimum: 0, description: 'Servings rung up.' }),
    pours: Type.Integer({ minimum: 0, description: 'Pours near this size.' }),
    mean_ml: volume('Their mean.'),
    overpour_ml: signed('Poured more than sold into all of them; negative: less.'),
    overpour_uncertainty_ml: uncertaintyField('`overpour_ml`'),
  },
  { description: 'What was poured for a serving size.' },
);

/** 0 is midnight. */
export const HourOfDay = (description: string) => Type.Integer({ minimum: 0, maximum: 23, description });

export const HotTimeJson = Closed(
  {
    weekday: Type.Integer({
      minimum: 1,
      maximum: 7,
      description: 'Weekday of the business day, 1 is Monday.',
    }),
    since_hour: HourOfDay('Hour of the clock.'),
    until_hour: HourOfDay('Hour of the clock, not included.'),
    volume_ml: volume('Difference in these hours.'),
  },
  { description: 'When most of a difference arose.' },
);

export const ml = (ul: number): number => fromUl(ul);

export function verdictJson(verdict: Verdict, currency: string): Static<typeof VerdictJson> {
  const money = (minor: number | null) => (minor === null ? null : fromMinor(Math.round(minor), currency));
  return {
    kind: verdict.kind,
    volume_ml: roundMl(verdict.volumeMl),
    uncertainty_ml: roundMl(verdict.uncertaintyMl),
    servings: verdict.servings === null ? null : Math.round(verdict.servings * 10) / 10,
    value: money(verdict.valueMinor),
    value_uncertainty: money(verdict.valueUncertaintyMinor),
    share: verdict.shareOfPoured,
  };
}

export const partsJson = (parts: BalanceParts) => ({
  poured_ml: ml(pouredUl(parts)),
  missed_ml: ml(parts.missedUl),
  sold_ml: ml(parts.soldUl),
  comps_ml: ml(parts.compsUl),
  staff_ml: ml(parts.staffUl),
  samples_ml: ml(parts.samplesUl),
  spilled_ml: ml(parts.spilledUl),
  cleaning_ml: ml(parts.cleaningUl),
  drips_ml: ml(parts.dripsUl),
  gas_ml: ml(parts.gasUl),
  held_ml: ml(parts.heldUl),
});

export const balanceFieldsJson = (balance: Balance, currency: string) => ({
  ...partsJson(balance),
  drinks: balance.drinks,
  held: balance.held,
  servings: Math.round(balance.servings * 1_000) / 1_000,
  net_sales: fromMinor(Math.round(balance.netMinor), currency),
  yield: sellingYield(balance),
  verdict: verdictJson(toVerdict(balance), currency),
});

export const sizeJson = ({ fill, volumeMl, uncertaintyMl }: Overpour): Static<typeof SizeJson> => ({
  liquid_ml: fill.liquidMl,
  servings: fill.servings,
  pours: fill.pours,
  mean_ml: roundMl(fill.meanMl),
  overpour_ml: roundMl(volumeMl),
  overpour_uncertainty_ml: roundMl(uncertaintyMl),
});

export const hotTimeJson = (time: HotTime | null): Static<typeof HotTimeJson> | null =>
  time && {
    weekday: time.weekday + 1,
    since_hour: time.sinceHour,
    until_hour: time.untilHour,
    volume_ml: roundMl(time.volumeMl),
  };
