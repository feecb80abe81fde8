import Type, { type Static } from 'typebox';
import { fromMinor } from '../../../core/kegs/money.ts';
import { roundMl } from '../../../core/measurement/round-ml.ts';
import { uncertaintyField } from '../../../http/current/shared/drink-views.ts';
import {
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Nullable,
  named,
  TotalMl,
} from '../../../http/routes/schemas.ts';
import type { BalanceFinding } from '../core/balance/finding.ts';
import type { SalesServices } from '../engine/sales-services.ts';
import { HourOfDay } from './balance-figures.ts';

const kinds = [
  'unmapped',
  'not_sold',
  'till_silent',
  'meter_silent',
  'not_poured_at_all',
  'missed_ticks',
  'held',
  'cleaning',
  'overpour',
  'short_pour',
  'not_rung',
  'not_poured',
  'foam',
  'till_offset',
] as const satisfies readonly BalanceFinding['kind'][];

/** Something to check. Fields that a kind does not have are null. */
export const FindingSchema = named(
  'BalanceFinding',
  Closed(
    {
      kind: Type.Enum([...kinds], {
        description:
          '`unmapped`: a product that nobody mapped. `not_sold`: poured, and no product of it. `till_silent`: pours while no till had any line. `meter_silent`: sold while the meter counted nothing. `not_poured_at_all`: sold, and never poured. `missed_ticks`: ticks known to be missed. `held`: pours that wait for a decision. `cleaning`: a pour like a cleaning that nobody marked. `overpour`, `short_pour`: glasses hold more or less than sold. `not_rung`, `not_poured`: what is left of the difference. `foam`: many foamy pours. `till_offset`: the times of the till and of the pours differ.',
      }),
      volume_ml: Nullable({ ...TotalMl, description: 'How much it explains; null where it is not known.' }),
      uncertainty_ml: Nullable(uncertaintyField('`volume_ml`')),
      beverage_id: Nullable(Type.String({ description: 'The beverage, as text.' })),
      beverage: Nullable(Type.String({ description: 'Its name.' })),
      item_id: Nullable({ ...Id, description: 'The product of the till.' }),
      item: Nullable(Type.String({ description: 'Its name.' })),
      net_sales: Nullable(Type.Number({ description: 'What it took, in the currency, without tax.' })),
      count: Nullable(Type.Number({ description: 'Number of its lines or pours.' })),
      tap_id: Nullable(Type.String({ description: 'The tap, as text.' })),
      since: Nullable({ ...IsoSeconds, description: 'Its beginning, UTC.' }),
      until: Nullable({ ...IsoSeconds, description: 'Its end, UTC.' }),
      liquid_ml: Nullable({ ...TotalMl, description: 'The serving as it is sold.' }),
      mean_ml: Nullable({ ...TotalMl, description: 'Mean of what was poured for it.' }),
      share: Nullable(Type.Number({ minimum: 0, maximum: 1, description: 'Share of the pours.' })),
      minutes: Nullable(Type.Integer({ description: 'How much later the lines are than the pours.' })),
      weekday: Nullable(
        Type.Integer({ minimum: 1, maximum: 7, description: 'When most of it arose; 1 is Monday.' }),
      ),
      since_hour: Nullable(HourOfDay('Hour of the clock.')),
      until_hour: Nullable(HourOfDay('Hour of the clock, not included.')),
    },
    { description: 'Something to check, with how much of the difference it explains.' },
  ),
);
export type FindingJson = Static<typeof FindingSchema>;

const nothing: Omit<FindingJson, 'kind'> = {
  volume_ml: null,
  uncertainty_ml: null,
  beverage_id: null,
  beverage: null,
  item_id: null,
  item: null,
  net_sales: null,
  count: null,
  tap_id: null,
  since: null,
  until: null,
  liquid_ml: null,
  mean_ml: null,
  share: null,
  minutes: null,
  weekday: null,
  since_hour: null,
  until_hour: null,
};

/** Returns a function that writes findings with the names of what they are about. */
export const findingJson =
  ({ sales }: Pick<SalesServices, 'sales'>, currency: string, beverageName: (id: number) => string | null) =>
  (finding: BalanceFinding): FindingJson => {
    const size = 'size' in finding ? finding.size : null;
    const beverageId = 'beverageId' in finding ? finding.beverageId : null;
    return {
      ...nothing,
      kind: finding.kind,
      volume_ml: size === null ? null : roundMl(size.volumeMl),
      uncertainty_ml: size === null ? null : roundMl(size.uncertaintyMl),
      beverage_id: beverageId === null ? null : String(beverageId),
      beverage: beverageId === null ? null : beverageName(beverageId),
      ...ownFields(finding, sales, currency),
    };
  };

function ownFields(
  finding: BalanceFinding,
  sales: SalesServices['sales'],
  currency: string,
): Partial<FindingJson> {
  switch (finding.kind) {
    case 'unmapped': {
      const item = sales.tills.item(finding.itemId);
      return {
        item_id: finding.itemId,
        item: [item.name, item.variant].filter((text) => text !== '').join(' '),
        net_sales: fromMinor(finding.netMinor, currency),
        count: finding.lines,
      };
    }
    case 'till_silent':
      return {
        since: isoSeconds(finding.sinceMs),
        until: isoSeconds(finding.untilMs),
        count: finding.pours,
      };
    case 'meter_silent':
      return { since: isoSeconds(finding.sinceMs), until: isoSeconds(finding.untilMs) };
    case 'cleaning':
      return {
        since: isoSeconds(finding.timeMs),
        tap_id: finding.tapId === null ? null : String(finding.tapId),
      };
    case 'held':
      return { count: finding.pours };
    case 'overpour':
    case 'short_pour':
      return {
        liquid_ml: finding.fill.liquidMl,
        mean_ml: roundMl(finding.fill.meanMl),
        count: finding.fill.pours,
      };
    case 'not_rung':
    case 'not_poured':
      return finding.when === null
        ? {}
        : {
            weekday: finding.when.weekday + 1,
            since_hour: finding.when.sinceHour,
            until_hour: finding.when.untilHour,
          };
    case 'foam':
      return { share: finding.share };
    case 'till_offset':
      return { minutes: finding.minutes };
    default:
      return {};
  }
}
