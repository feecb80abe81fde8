import {
  addDays,
  type BusinessDay,
  businessDayAt,
  type DayRule,
  maxEndMinutes,
} from '../../core/clock/business-days.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { formatShifts, maxShiftName, maxShifts, type Shift } from '../../core/clock/shifts.ts';
import { maxDaysLimit } from '../../core/kegs/days-on-tap.ts';
import type { User } from '../../core/records.ts';
import type { BusinessSettings, PouredTotal } from '../../store/reports/reports-table.ts';
import { toMeterSums } from '../kegs/keg-remainder.ts';
import type { Corrected } from '../shared/actor-context.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { validateNumber, validateText, validationError } from '../shared/bounds.ts';
import type { MailedAmounts, MailedReport } from '../shared/email-templates.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { queueMail } from '../shared/queue-mail.ts';
import { cachedResults } from './cached-results.ts';
import { type DayPage, pageOfDays } from './day-page.ts';
import { daysOfSpan, parseBusinessDay } from './day-span.ts';
import { type Amounts, computeAmounts, type NamedMeterSum } from './report-amounts.ts';
import { type DayReport, type SpanReport, toSpanReport } from './report-span.ts';
import { businessCorrections } from './undo-kinds.ts';

export type { BusinessSettings } from '../../store/reports/reports-table.ts';
export type { Amounts } from './report-amounts.ts';
export type { DayReport, SpanReport } from './report-span.ts';

/** A month; more at once would block a Pi's main loop too long. */
const maxDays = 31;

/** Reports by business day. */
export function createReports(parts: EngineParts) {
  const { store } = parts;

  const rule = (): DayRule => ({
    timeZone: store.site.read().timeZone,
    endsMinutes: store.reports.settings().dayEndsMinutes,
  });

  const cached = cachedResults<Omit<DayReport, 'isOver'>>(store);

  const report = (day: BusinessDay, now: Moment): DayReport => ({
    ...cached(day.date, () => computeDay(day)),
    isOver: now.wallMs >= day.untilMs,
  });

  const computeDay = (day: BusinessDay): Omit<DayReport, 'isOver'> => {
    const poured = store.reports.poured(day).map((one) => ({ ...one, meterSum: toMeterSum(one) }));
    const spilled = store.reports.spilled(day);
    const sum = (isOf: (one: { tapId: number | null; kegId: number | null }) => boolean): Amounts =>
      computeAmounts(poured.filter(isOf), spilled.filter(isOf));
    const all = [...poured, ...spilled];
    const distinct = (ids: readonly (number | null)[]) =>
      [...new Set(ids)].sort((a, b) => (a ?? Number.MAX_SAFE_INTEGER) - (b ?? Number.MAX_SAFE_INTEGER));
    return {
      day,
      currency: store.reports.settings().currency,
      ...sum(() => true),
      taps: distinct(all.map(({ tapId }) => tapId)).map((tapId) => ({
        tapId,
        name: tapId === null ? null : store.taps.anyName(tapId),
        ...sum((one) => one.tapId === tapId),
      })),
      kegs: distinct([...poured.filter(({ isHeld }) => !isHeld), ...spilled].map(({ kegId }) => kegId)).map(
        (kegId) => ({
          kegId,
          beverage: kegId === null ? null : findBeverageName(kegId),
          ...computeAmounts(
            poured.filter((one) => one.kegId === kegId && !one.isHeld),
            spilled.filter((one) => one.kegId === kegId),
          ),
        }),
      ),
    };
  };

  const toMeterSum = (total: PouredTotal): NamedMeterSum => ({
    meter: total.meter,
    ...toMeterSums(store, [{ ...total, pours: total.drinks }])[0]!,
  });

  const findBeverageName = (kegId: number): string | null => {
    const keg = store.kegs.byId(kegId);
    return keg === null ? null : (store.kegs.beverages.byId(keg.beverageId)?.name ?? null);
  };

  const parseDay = (field: string, date: string): BusinessDay => parseBusinessDay(field, date, rule());

  return {
    settings: (): BusinessSettings => store.reports.settings(),

    /** Absent settings stay. Throws `invalid_request`. */
    changeSettings: (
      {
        shifts,
        ...changes
      }: Partial<Omit<BusinessSettings, 'shifts'>> & {
        readonly shifts?: readonly Shift[] | undefined;
      },
      actor: Actor,
      now: Moment,
    ): Corrected<BusinessSettings> =>
      change(parts, () => {
        const before = store.reports.settings();
        const result = validateSettings({
          ...before,
          ...changes,
          ...(shifts !== undefined && { shifts: formatShifts(validateShifts(shifts)) }),
        });
        store.reports.writeSettings(result);
        return {
          result,
          correctionId: businessCorrections.log(parts, { before, after: result }, { actor, now }),
        };
      }),

    rule,

    /** The current business day. */
    today: (now: Moment): BusinessDay => businessDayAt(now.wallMs, rule()),

    /** Throws `invalid_request` for a date that does not exist. */
    day: (date: string, now: Moment): DayReport => store.snapshot(() => report(parseDay('date', date), now)),

    /**
     * Days up to `last` (default today), newest first; at most 31. The list ends with the day of the first drink or
     * spill.
     */
    days: (
      { last, limit = 7 }: { readonly last?: string; readonly limit?: number },
      now: Moment,
    ): DayPage<DayReport> =>
      store.snapshot(() => {
        const count = validateNumber('limit', limit, { min: 1, max: maxDays, whole: true });
        const today = businessDayAt(now.wallMs, rule());
        const newest = last === undefined ? today : parseDay('last', last);
        const firstMs = Math.min(store.reports.firstTimeMs() ?? now.wallMs, now.wallMs);
        const range = { first: businessDayAt(firstMs, rule()), today };
        const page = pageOfDays(range, { last: newest, limit: count }, rule());
        return { ...page, items: page.items.map((day) => report(day, now)) };
      }),

    /**
     * All days from `first` (default `last`) to `last` (default today), at most 92. Throws `invalid_request`.
     */
    span: ({ first, last }: { readonly first?: string; readonly last?: string }, now: Moment): SpanReport =>
      store.snapshot(() => {
        return toSpanReport(
          daysOfSpan(
            { ...(first !== undefined && { first }), ...(last !== undefined && { last }) },
            rule(),
            now,
          ).map((day) => report(day, now)),
        );
      }),

    /** The time span from the beginning of the business day `first` to the end of `last`; open where one is absent. */
    daysSpan({ first, last }: { readonly first?: string; readonly last?: string }): {
      readonly sinceMs?: number;
      readonly untilMs?: number;
    } {
      if (first !== undefined && last !== undefined && last < first)
        throw validationError('last', 'must not be before the first', { name: 'day_order' });
      return {
        ...(first !== undefined && { sinceMs: parseDay('first', first).sinceMs }),
        ...(last !== undefined && { untilMs: parseDay('last', last).untilMs }),
      };
    },

    wantsMail: (user: User): boolean => store.reports.isReader(user.id),
    setWantsMail: (user: User, wants: boolean, actor: Actor, now: Moment): void =>
      change(parts, () => {
        const before = store.reports.isReader(user.id);
        store.reports.setReader(user.id, wants);
        const note = (daily_report: boolean) => ({ daily_report });
        const subject = { kind: 'user', id: user.username };
        const action = 'report_mail.changed';
        writeAudit(store, { actor, action, subject, before: note(before), after: note(wants) }, now);
      }),

    /** Mails yesterday's report once to the staff who subscribed. Called about once a minute. */
    mailWhenDue(now: Moment): void {
      if (!now.synced) return;
      const yesterday = addDays(businessDayAt(now.wallMs, rule()), -1, rule());
      const reported = store.reports.reportedDate();
      if (reported !== null && reported >= yesterday.date) return;
      store.transaction(() => {
        store.reports.setReported(yesterday.date);
        // No mails for missed days without activity: after set-up, or after the bar was off for a week.
        const day = report(yesterday, now);
        if (day.drinks + day.spills + day.held === 0) return;
        const values = toMailedReport(day);
        for (const to of store.reports.readers()) queueMail(store, { to, template: 'report', values }, now);
      });
    },
  };
}

function validateSettings({
  dayEndsMinutes,
  nightlyBackups,
  currency,
  shifts,
  maxDaysOnTap,
}: BusinessSettings): BusinessSettings {
  if (!/^[A-Z]{3}$/.test(currency))
    throw validationError('currency', 'must be three letters such as EUR', { name: 'currency' });
  return {
    dayEndsMinutes: validateNumber('day_ends', dayEndsMinutes, {
      min: 0,
      max: maxEndMinutes,
      whole: true,
    }),
    nightlyBackups,
    currency,
    shifts,
    maxDaysOnTap:
      maxDaysOnTap === null
        ? null
        : validateNumber('max_days_on_tap', maxDaysOnTap, { min: 1, max: maxDaysLimit, whole: true }),
  };
}

/** In the order of their starts. */
function validateShifts(shifts: readonly Shift[]): readonly Shift[] {
  if (shifts.length === 1 || shifts.length > maxShifts) throw shiftError();
  const validated = shifts
    .map(({ name, startsMinutes }) => ({
      // The comma separates shifts in the audit log.
      name: validateText('name', name.replaceAll(',', ' '), { max: maxShiftName }),
      startsMinutes: validateNumber('starts', startsMinutes, { min: 0, max: 1439, whole: true }),
    }))
    .sort((one, other) => one.startsMinutes - other.startsMinutes);
  if (new Set(validated.map(({ startsMinutes }) => startsMinutes)).size < validated.length)
    throw shiftError();
  return validated;
}

const shiftError = () =>
  validationError('shifts', `must be none, or 2 to ${maxShifts} that start at different times`, {
    name: 'shifts',
    most: maxShifts,
  });

const toMailedReport = (report: DayReport): MailedReport => ({
  ...toMailedAmounts(report),
  date: report.day.date,
  currency: report.currency,
  taps: report.taps.map((tap) => ({ ...toMailedAmounts(tap), name: tap.name })),
  kegs: report.kegs.map((keg) => ({ ...toMailedAmounts(keg), kegId: keg.kegId, beverage: keg.beverage })),
});

/** Only what the mail shows: the waiting mail has a limited size. */
const toMailedAmounts = (amounts: Amounts): MailedAmounts => ({
  drinks: amounts.drinks,
  pouredMl: amounts.pouredMl,
  spills: amounts.spills,
  spilledMl: amounts.spilledMl,
  held: amounts.held,
  heldMl: amounts.heldMl,
  revenueMinor: amounts.revenueMinor,
  unpriced: amounts.unpriced,
  unpricedMl: amounts.unpricedMl,
});
