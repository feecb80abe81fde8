import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { vitalParts } from '../../../src/core/health/own-health.ts';
import type { DayPart } from '../../../src/core/kegs/run-out.ts';
import { type ParsedMessage, parseMessage } from '../../../src/core/locales/parse-message.ts';
import type { Drift } from '../../../src/core/measurement/drift.ts';
import type { DriftCause } from '../../../src/core/measurement/drift-cause.ts';
import type { LineFinding } from '../../../src/core/measurement/line-health.ts';
import type { Refusals, Rules } from '../../../src/core/reasons.ts';
import type { PinEntry } from '../../../src/core/taps/pin-entries.ts';
import { sensorFaults } from '../../../src/core/temperatures/thermo-rules.ts';
import type { InstallReason } from '../../../src/core/updates/update-state.ts';
import type { ForbiddenAddress } from '../../../src/outbox/address-guard.ts';
import type { Catalogue } from '../../../src/web/locales/translator.ts';
import { extensionCases } from '../../kit/extension-cases.ts';

const folder = join(import.meta.dirname, '../../../locales');
const catalogues = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Catalogue);

/** The values of a union; a new member fails to compile until it is here. */
const listValues = <Value extends string>(values: Readonly<Record<Value, true>>) => Object.keys(values);

/**
 * The values that the code can send, by key and placeholder. `other` is the value that the form `other` is written for; without it
 * every value has a form of its own.
 */
const known: Readonly<Record<string, { readonly values: readonly string[]; readonly other?: string }>> = {
  'daemon.problemTexts.database_lost name': {
    values: ['none', 'tapster-20261127T040000Z-nightly.tar.gz'],
    other: 'tapster-20261127T040000Z-nightly.tar.gz',
  },
  'daemon.problemTexts.database_lost state': { values: ['empty', 'missing'], other: 'missing' },
  'daemon.rules.exists what': {
    values: listValues<Rules['exists']['what']>({
      account: true,
      beverage: true,
      controller: true,
      keg: true,
      keg_size: true,
      producer: true,
      serving_size: true,
      tap: true,
      thermometer: true,
    }),
  },
  'daemon.rules.does_not_match what': {
    values: listValues<Rules['does_not_match']['what']>({ password: true, pin: true }),
    other: 'password',
  },
  'daemon.rules.cleaning_time what': {
    values: listValues<Rules['cleaning_time']['what']>({ future: true, span: true }),
    other: 'span',
  },
  'daemon.rules.keg_time what': {
    values: listValues<Rules['keg_time']['what']>({
      future: true,
      first_drink: true,
      last_drink: true,
      last_change: true,
      start: true,
      end: true,
      not_finished: true,
    }),
    other: 'not_finished',
  },
  'daemon.refusals.rate_limited what': {
    values: listValues<Refusals['rate_limited']['what']>({
      passwords: true,
      codes: true,
      mails: true,
      keys: true,
      requests: true,
    }),
    other: 'requests',
  },
  'daemon.refusals.too_many_entries what': {
    values: listValues<Refusals['too_many_entries']['what']>({
      keys: true,
      tablets: true,
      invitations: true,
    }),
    other: 'invitations',
  },
  'daemon.problemTexts.not_started part': { values: vitalParts, other: 'serving' },
  // The updater's reasons that belong to no trial or check fall under `other`.
  'daemon.problemTexts.update_taken_back reason': {
    values: ['no_answer', 'wrong_version', 'unhealthy', 'restarts', 'power_cuts', 'other'],
    other: 'other',
  },
  'daemon.problemTexts.update_refused reason': {
    values: [
      ...['check_failed', 'backup_failed', 'release_missing', 'disk_failed', 'other'],
      ...listValues<InstallReason>({
        bad_signature: true,
        unreadable: true,
        older_serial: true,
        not_newer: true,
        no_package: true,
        settings: true,
        disk_full: true,
        download_failed: true,
        wrong_checksum: true,
        install_failed: true,
        power_cuts: true,
      }),
    ],
    other: 'other',
  },
  // An answer that is too large falls under `other`, as one that is no list of versions.
  'daemon.problemTexts.update_check_failed reason': {
    values: ['unreachable', 'status', 'too_slow', 'bad_signature', 'older_serial', 'other'],
    other: 'other',
  },
  'daemon.problemTexts.sensor_unusable reason': {
    values: [...Object.keys(sensorFaults), 'other'],
    other: 'other',
  },
  'daemon.problemTexts.message_address_blocked reason': {
    values: listValues<ForbiddenAddress['reason']>({
      self: true,
      unspecified: true,
      link_local: true,
      multicast: true,
      reserved: true,
      no_ip: true,
      no_address: true,
    }),
    other: 'no_address',
  },
  'daemon.problemTexts.too_many_pin_parts kind': {
    values: listValues<PinEntry['kind']>({ meter: true, relay: true }),
    other: 'relay',
  },
  'kegs.runOut.onDay part': {
    values: listValues<DayPart>({ night: true, morning: true, afternoon: true, evening: true }),
    other: 'evening',
  },
  'mails.meter_drifts.text cause': {
    values: listValues<DriftCause>({
      keg_size: true,
      other_meter: true,
      loss_before_meter: true,
      worn_or_dirty: true,
      gas_or_noise: true,
    }),
    other: 'worn_or_dirty',
  },
  'mails.meter_drifts.text direction': {
    values: listValues<Drift['direction']>({ high: true, low: true }),
    other: 'low',
  },
  'meterPage.drifts direction': {
    values: listValues<Drift['direction']>({ high: true, low: true }),
    other: 'low',
  },
  ...Object.fromEntries(
    ['advice', 'subject', 'text'].map((part) => [
      `mails.line_flow.${part} finding`,
      {
        values: listValues<LineFinding>({
          low_pressure: true,
          blocked_line: true,
          warm_beer: true,
          slow_valve: true,
          sticking_meter: true,
        }),
        other: 'sticking_meter',
      },
    ]),
  ),
  'daemon.findings.stuck level': { values: ['0', '1'], other: '0' },
  ...Object.assign({}, ...extensionCases.map(({ choices }) => choices)),
};

/** Placeholders whose values are figures, codes of the system, lists and times: the form `other` shows them. */
const free = new Set([
  'daemon.refusals.https_required address',
  'daemon.findings.counts lost',
  'daemon.findings.counts hz',
  'daemon.findings.mains hz',
  'daemon.problemTexts.device_not_listed kind',
  'daemon.problemTexts.device_not_permitted kind',
  'daemon.problemTexts.ibutton_bus_not_read code',
  'daemon.problemTexts.journal_not_written code',
  'daemon.problemTexts.newest_backup date',
  'daemon.problemTexts.newest_usable_backup date',
  'daemon.problemTexts.pins_cdev meters',
  'daemon.problemTexts.pins_cdev proof',
  'daemon.problemTexts.pins_cdev relays',
  'daemon.problemTexts.pins_cdev spare',
  'daemon.problemTexts.pins_onoff meters',
  'daemon.problemTexts.pins_pigpio meters',
  'daemon.problemTexts.reader_not_opened code',
  'daemon.problemTexts.upgrade_backup_running from',
  ...extensionCases.flatMap(({ freeChoices = [] }) => freeChoices),
]);

const selects = new Map(catalogues.flatMap((catalogue) => [...listSelects(catalogue)]));

test('the values of every text with a choice are known here', () => {
  expect([...selects.keys()].sort()).toEqual([...Object.keys(known), ...free].sort());
});

test.each(Object.entries(known))(
  '%s has a form for each value in every language',
  (name, { values, other }) => {
    for (const catalogue of catalogues) {
      const forms = listSelects(catalogue).get(name) ?? [];
      expect(values.filter((value) => !forms.includes(value) || value === other)).toEqual(
        other === undefined ? [] : [other],
      );
      expect(forms.filter((form) => form !== 'other' && !values.includes(form))).toEqual([]);
    }
  },
);

test('a choice has the same forms in every language', () => {
  for (const catalogue of catalogues) {
    for (const [name, forms] of listSelects(catalogue)) expect(forms, name).toEqual(selects.get(name));
  }
});

/** The forms of each choice by key and placeholder. */
function listSelects(catalogue: Catalogue): ReadonlyMap<string, readonly string[]> {
  const list = (key: string, parts: ParsedMessage): [string, string[]][] =>
    parts.flatMap((part) => {
      if (typeof part === 'string') return [];
      const own: [string, string[]][] =
        part.type === 'select' ? [[`${key} ${part.name}`, Object.keys(part.forms).sort()]] : [];
      return [...own, ...Object.values(part.forms).flatMap((inner) => list(key, inner))];
    });
  return new Map(Object.entries(catalogue).flatMap(([key, text]) => list(key, parseMessage(text))));
}
