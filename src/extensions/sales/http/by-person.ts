import Type, { type Static } from 'typebox';
import { defineRoute } from '../../../http/routes/route.ts';
import { actorContext } from '../../../http/routes/route-context.ts';
import {
  CalendarDate,
  Closed,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  named,
  Open,
} from '../../../http/routes/schemas.ts';
import { type ByPersonSettings, personReason, sellerDays } from '../core/sellers.ts';
import type { PersonBalance } from '../engine/balance/by-person.ts';
import { balanceFieldsJson, signed, VerdictJson, volume } from './balance-figures.ts';
import type { SalesRouteParts } from './route-parts.ts';

const reason = (description: string) =>
  Type.String({ minLength: personReason.min, maxLength: personReason.max, description });
const days = Type.Integer({
  minimum: sellerDays.min,
  maximum: sellerDays.max,
  default: sellerDays.default,
  description: `Names at lines of tills are removed after so many days; ${sellerDays.default} unless given.`,
});
const lines = (description: string) => Type.Integer({ minimum: 0, description });

const SettingsJson = named(
  'ByPersonSettings',
  Closed(
    {
      is_on: Type.Boolean({
        description: 'False, the default: nothing is shown by person, and no names are kept.',
      }),
      reason: Nullable(reason('Why figures by person are shown; null: they are off.')),
      since: Nullable({ ...IsoSeconds, description: 'UTC time at which they were turned on; null: off.' }),
      days,
    },
    { description: 'Whether poured against sold is shown by person.' },
  ),
);

const PersonJson = named(
  'PersonBalance',
  Closed(
    {
      name: Type.String({ description: 'Name as the till writes it, else the username.' }),
      username: Nullable(
        Type.String({
          description: 'Username of the account of that name; null: there is none that poured.',
        }),
      ),
      sold_ml: signed('Beer that was rung up as sold; negative if more was taken back.'),
      servings: Type.Number({ description: 'Servings sold.' }),
      net_sales: Type.Number({ description: 'Net sales in the currency, without tax.' }),
      comps_ml: signed('Rung up as given to guests.'),
      staff_ml: signed('Rung up as drinks of staff.'),
      samples_ml: signed('Rung up as samples.'),
      void_lines: lines('Lines that were taken back before they were poured.'),
      refund_lines: lines('Lines that were taken back afterwards.'),
      poured_ml: volume('Drinks that the account poured, with missed ticks.'),
      drinks: lines('Number of these drinks.'),
      verdict: Nullable({
        ...VerdictJson,
        description: 'Poured against rung up; null where the account poured nothing or nothing was rung up.',
      }),
    },
    { description: 'What one person rang up and poured.' },
  ),
);

const getByPersonSettings = ({ servicesOf }: SalesRouteParts) =>
  defineRoute({
    id: 'getByPersonSettings',
    method: 'get',
    path: '/sales/by-person/settings',
    summary: 'Whether poured against sold is shown by person, and why',
    description: 'All staff may read it. Only superusers change it, and see the figures.',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: Closed({ settings: SettingsJson }) },
    run: ({ engine }) => ({ settings: settingsJson(servicesOf(engine).personBalances.settings()) }),
  });

const turnByPersonOn = ({ servicesOf }: SalesRouteParts) =>
  defineRoute({
    id: 'turnByPersonOn',
    method: 'put',
    path: '/sales/by-person/settings',
    summary: 'Show poured against sold by person, for a reason that everyone sees who sees the figures',
    description:
      'From then on names at lines of tills are kept for `days` days. In many places staff or their council have to agree first. Written to ' +
      'the audit log, with the reason.',
    access: 'superuser',
    accepts: {
      body: Closed({ reason: reason('Why figures by person are shown.'), days: Maybe(days) }),
    },
    replies: { status: 200, body: Closed({ settings: SettingsJson }) },
    run: (context, { body }) => ({
      settings: settingsJson(servicesOf(context.engine).personBalances.turnOn(body, actorContext(context))),
    }),
  });

const turnByPersonOff = ({ servicesOf }: SalesRouteParts) =>
  defineRoute({
    id: 'turnByPersonOff',
    method: 'delete',
    path: '/sales/by-person/settings',
    summary: 'Show nothing by person any longer, and remove all names at lines of tills',
    description: 'The names cannot be restored. Succeeds when it is off. Written to the audit log.',
    access: 'superuser',
    accepts: {},
    replies: { status: 200, body: Closed({ settings: SettingsJson }) },
    run: (context) => ({
      settings: settingsJson(servicesOf(context.engine).personBalances.turnOff(actorContext(context))),
    }),
  });

const getSalesByPerson = ({ servicesOf }: SalesRouteParts) =>
  defineRoute({
    id: 'getSalesByPerson',
    method: 'get',
    path: '/sales/by-person',
    summary:
      'Compare what each person rang up and poured, from `first` to `last` (at most 92 days). Default: today',
    description:
      'Only while the site has turned it on; else a 409. What was rung up is by the name at the line, what was poured by the account of the ' +
      'drink; both are one person where the names are equal. It proves nothing: people serve what others ring up. Whoever reads it is noted in the audit log.',
    access: 'superuser',
    accepts: {
      query: Open({
        first: Maybe({
          ...CalendarDate,
          description: 'First business day, `YYYY-MM-DD`; `last` unless given.',
        }),
        last: Maybe({ ...CalendarDate, description: 'Last business day, `YYYY-MM-DD`; today unless given.' }),
      }),
    },
    errors: { conflict: ['by_person_off'] },
    replies: {
      status: 200,
      body: Closed({
        first: { ...CalendarDate, description: 'First business day.' },
        last: { ...CalendarDate, description: 'Last business day.' },
        currency: Type.String({ description: 'Currency of all amounts, ISO 4217.' }),
        reason: reason('Why figures by person are shown.'),
        persons: Type.Array(PersonJson, { description: 'By name.' }),
        unnamed: Closed(
          {
            sold_ml: signed('Beer that was rung up as sold.'),
            servings: Type.Number({ description: 'Servings sold.' }),
            net_sales: Type.Number({ description: 'Net sales in the currency, without tax.' }),
          },
          { description: 'Lines without a name.' },
        ),
      }),
    },
    run(context, { query }) {
      const { persons, unnamed, ...view } = servicesOf(context.engine).personBalances.view(
        query,
        actorContext(context),
      );
      const { sold_ml, servings, net_sales } = balanceFieldsJson(unnamed, view.currency);
      return {
        first: view.first,
        last: view.last,
        currency: view.currency,
        reason: view.reason,
        persons: persons.map((person) => personJson(person, view.currency)),
        unnamed: { sold_ml, servings, net_sales },
      };
    },
  });

/** Poured against sold by person. */
export const byPersonRoutes = (parts: SalesRouteParts) => [
  getByPersonSettings(parts),
  turnByPersonOn(parts),
  turnByPersonOff(parts),
  getSalesByPerson(parts),
];

const settingsJson = ({
  reason: text,
  sinceMs,
  days: kept,
}: ByPersonSettings): Static<typeof SettingsJson> => ({
  is_on: text !== null,
  reason: text,
  since: sinceMs === null ? null : isoSeconds(sinceMs),
  days: kept,
});

function personJson(person: PersonBalance, currency: string): Static<typeof PersonJson> {
  const figures = balanceFieldsJson(person.balance, currency);
  const isRung = figures.sold_ml + figures.comps_ml + figures.staff_ml + figures.samples_ml !== 0;
  return {
    name: person.name,
    username: person.username,
    sold_ml: figures.sold_ml,
    servings: figures.servings,
    net_sales: figures.net_sales,
    comps_ml: figures.comps_ml,
    staff_ml: figures.staff_ml,
    samples_ml: figures.samples_ml,
    void_lines: person.voidLines,
    refund_lines: person.refundLines,
    poured_ml: figures.poured_ml,
    drinks: figures.drinks,
    verdict: figures.drinks > 0 && isRung ? figures.verdict : null,
  };
}
