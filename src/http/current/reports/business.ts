import Type, { type Static } from 'typebox';
import { formatTimeOfDay } from '../../../core/clock/business-days.ts';
import { maxShiftName, maxShifts, parseShifts } from '../../../core/clock/shifts.ts';
import { maxDaysLimit } from '../../../core/kegs/days-on-tap.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { BusinessSettings } from '../../../engine/engine.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { requestActor } from '../../routes/route-context.ts';
import { Closed, Currency, errorWords, Maybe, Nullable, named } from '../../routes/schemas.ts';
import { correctionFields, correctionIdOf } from '../shared/correction-id.ts';

const HourMinute = Type.String({
  pattern: '^((0\\d|1[01]):[0-5]\\d|12:00)$',
  description: 'When the business day ends, in the site’s time zone: `00:00` to `12:00`.',
  ...errorWords('must be a time of day from 00:00 to 12:00', { name: 'hour_minute' }),
});

const ShiftsJson = Type.Array(
  Closed(
    {
      name: Type.String({ minLength: 1, maxLength: maxShiftName, description: 'Name of the shift.' }),
      starts: Type.String({
        pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
        description: 'When it starts, `HH:MM` in the site’s time zone; it ends when the next one starts.',
        ...errorWords('must be a time of day from 00:00 to 23:59', { name: 'time_of_day' }),
      }),
    },
    { description: 'A part of the day.' },
  ),
  {
    maxItems: maxShifts,
    description: `Shifts by which poured is compared with sold, in the order of their starts: none, or 2 to ${maxShifts}.`,
  },
);

const settingFields = {
  day_ends: HourMinute,
  nightly_backups: Type.Boolean({ description: 'Whether a backup is made when the business day ends.' }),
  currency: Currency,
  shifts: ShiftsJson,
  max_days_on_tap: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: maxDaysLimit,
      description: 'Staff are warned of a keg that has been on its tap for more days; null: without limit.',
    }),
  ),
};
const DailyReportJson = Closed({
  daily_report: Type.Boolean({ description: 'True when the report of each business day is mailed to you.' }),
});

const SettingsJson = named(
  'BusinessSettings',
  Closed(settingFields, { description: 'The settings of the business day.' }),
);

/** Business day, currency and the daily report by mail, for staff. */
export const businessRoutes: readonly Route[] = [
  defineRoute({
    id: 'getBusinessSettings',
    method: 'get',
    path: '/admin/business',
    summary: 'Get the settings of the business day: its end, shifts, currency, nightly backups, freshness',
    description: 'Readable by staff.',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: Closed({ business: SettingsJson }) },
    run: ({ engine }) => ({ business: settingsJson(engine.reports.settings()) }),
  }),
  defineRoute({
    id: 'changeBusinessSettings',
    method: 'patch',
    path: '/admin/business',
    summary: 'Change the settings of the business day: its end, shifts, currency, nightly backups, freshness',
    description:
      'Fields left out keep their values. A new end of the day applies to reports of all days; a new currency does ' +
      'not convert prices. `shifts` replaces all of them. Written to the audit log, and can be undone.',
    access: 'staff',
    accepts: {
      body: Closed({
        day_ends: Maybe(settingFields.day_ends),
        nightly_backups: Maybe(settingFields.nightly_backups),
        currency: Maybe(settingFields.currency),
        shifts: Maybe(settingFields.shifts),
        max_days_on_tap: Maybe(settingFields.max_days_on_tap),
      }),
    },
    replies: { status: 200, body: Closed({ business: SettingsJson, ...correctionFields }) },
    run(context, { body }) {
      const { day_ends: ends, nightly_backups: nightlyBackups, currency, shifts } = body;
      const changes = omitUndefined({
        dayEndsMinutes: ends === undefined ? undefined : parseMinutes(ends),
        nightlyBackups,
        currency,
        maxDaysOnTap: body.max_days_on_tap,
        shifts: shifts?.map(({ name, starts }) => ({ name, startsMinutes: parseMinutes(starts) })),
      });
      const changed = context.engine.reports.changeSettings(changes, requestActor(context), context.now);
      return { business: settingsJson(changed.result), ...correctionIdOf(changed) };
    },
  }),
  defineRoute({
    id: 'getReportMail',
    method: 'get',
    path: '/admin/report-mail',
    summary: 'Whether the report of each business day is mailed to you',
    description: 'Each member of staff decides for themselves.',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: DailyReportJson },
    run: ({ engine, user }) => ({ daily_report: engine.reports.wantsMail(user!) }),
  }),
  defineRoute({
    id: 'setReportMail',
    method: 'put',
    path: '/admin/report-mail',
    summary: 'Switch the daily report by mail on or off for yourself',
    description:
      'The mail is sent when the business day ends, if a mail server is set and your account has an e-mail address. ' +
      'Written to the audit log.',
    access: 'staff',
    accepts: { body: DailyReportJson },
    replies: { status: 200, body: DailyReportJson },
    run(context, { body: { daily_report: isWanted } }) {
      const { engine, user, now } = context;
      engine.reports.setWantsMail(user!, isWanted, requestActor(context), now);
      return { daily_report: engine.reports.wantsMail(user!) };
    },
  }),
];

const parseMinutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

const settingsJson = (settings: BusinessSettings): Static<typeof SettingsJson> => ({
  day_ends: formatTimeOfDay(settings.dayEndsMinutes),
  nightly_backups: settings.nightlyBackups,
  currency: settings.currency,
  shifts: parseShifts(settings.shifts).map(({ name, startsMinutes }) => ({
    name,
    starts: formatTimeOfDay(startsMinutes),
  })),
  max_days_on_tap: settings.maxDaysOnTap,
});
