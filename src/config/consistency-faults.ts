import { findClosest } from '../core/text/find-closest.ts';
import { isDownloadUrl } from '../core/updates/update-source.ts';
import type { MeterCatalogue } from './meter-catalogue.ts';
import type { RawSettings as Raw, SettingsGroup } from './settings-group.ts';

/**
 * Finds contradictions between settings that are valid on their own: two meters on one pin, a tap with an
 * undeclared meter. Accepts any data, so that these faults are reported together with those of the schema.
 */
export function findConsistencyFaults(
  data: unknown,
  catalogue: MeterCatalogue,
  extra: readonly SettingsGroup[],
): string[] {
  if (!isGroup(data)) return [];
  const meters = groups(data.meters);
  const toggles = groups(data.toggles);
  const taps = groups(data.taps);
  const readers = groups(data.readers);
  return [
    ...findDuplicates(
      [...named(meters, 'meters', 'port'), ...named(toggles, 'toggles', 'port')],
      'a name is used once',
    ),
    ...findDuplicates(
      [...named(meters, 'meters', 'pin'), ...named(toggles, 'toggles', 'pin')],
      'a pin has one function',
    ),
    ...unknownModels(meters, catalogue),
    ...findDuplicates(named(taps, 'taps', 'name'), 'tap names must be unique'),
    ...unknownPorts(taps, 'meter', meters),
    ...unknownPorts(taps, 'toggle', toggles),
    ...findDuplicates(named(taps, 'taps', 'meter'), 'a meter counts for one tap'),
    ...findDuplicates(named(taps, 'taps', 'toggle'), 'a relay opens one tap'),
    ...findDuplicates(
      [...ownName(data), ...uniqueNames(extra, 'controllers', data)],
      'controller names must be unique',
    ),
    ...findDuplicates(
      [...uniqueNames(extra, 'ports', data), ...named(readers, 'readers', 'port')],
      'a port has one device',
    ),
    ...readerFaults(readers),
    ...idleFaults(data, taps),
    ...trafficFaults(data),
    ...originFaults(data),
    ...certificateFaults(data),
    ...updateFaults(data),
    ...extra.flatMap((group) => group.findFaults?.(toGroup(data[group.name])) ?? []),
  ];
}

interface Named {
  readonly path: string;
  readonly value: string | number;
}

function isGroup(data: unknown): data is Raw {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

/** The group, or an empty one where something else was written, which the schema check reports. */
const toGroup = (data: unknown): Raw => (isGroup(data) ? data : {});

/** Returns the groups of a list at their indexes, null for other items, which the schema check reports. */
function groups(data: unknown): readonly (Raw | null)[] {
  return Array.isArray(data) ? data.map((item) => (isGroup(item) ? item : null)) : [];
}

function named(items: readonly (Raw | null)[], list: string, key: string): Named[] {
  return items.flatMap((item, index) => {
    const value = item?.[key];
    return typeof value === 'string' || typeof value === 'number'
      ? [{ path: `${list}[${index}].${key}`, value }]
      : [];
  });
}

function findDuplicates(all: readonly Named[], rule: string): string[] {
  const first = new Map<string | number, string>();
  return all.flatMap(({ path, value }) => {
    const before = first.get(value);
    if (before === undefined) {
      first.set(value, path);
      return [];
    }
    return [`${path} repeats ${JSON.stringify(value)} of ${before}; ${rule}.`];
  });
}

/** The names of the items of these groups that the rule is about. */
function uniqueNames(
  extra: readonly SettingsGroup[],
  rule: keyof NonNullable<SettingsGroup['unique']>,
  data: Raw,
): Named[] {
  return extra.flatMap(({ name, unique }) => {
    const part = unique?.[rule];
    if (part === undefined) return [];
    return named(groups(toGroup(data[name])[part.list]), `${name}.${part.list}`, part.key);
  });
}

/** Returns the name of this Pi's controller, if set. */
function ownName(data: Raw): Named[] {
  const name = isGroup(data.controller) ? data.controller.name : undefined;
  return typeof name === 'string' ? [{ path: 'controller.name', value: name }] : [];
}

function unknownModels(meters: readonly (Raw | null)[], catalogue: MeterCatalogue): string[] {
  return named(meters, 'meters', 'model')
    .filter(({ value }) => typeof value === 'string' && !catalogue.has(value))
    .map(({ path, value }) => {
      const known = [...catalogue.keys()];
      const list = known.length === 0 ? 'the catalogue is empty here' : `known are ${known.join(', ')}`;
      return `${path} names the model ${JSON.stringify(value)}, which is not in hardware/meters; ${list}.`;
    });
}

function unknownPorts(
  taps: readonly (Raw | null)[],
  kind: 'meter' | 'toggle',
  declared: readonly (Raw | null)[],
): string[] {
  const ports = declared.flatMap((item) => (typeof item?.port === 'string' ? [item.port] : []));
  return named(taps, 'taps', kind)
    .filter(({ value }) => typeof value === 'string' && !ports.includes(value))
    .map(({ path, value }) => {
      const suggestion = findClosest(String(value), ports);
      const help = suggestion === null ? `declare it under ${kind}s` : `did you mean "${suggestion}"?`;
      return `${path} names ${JSON.stringify(value)}, which no ${kind} has as its port; ${help}${suggestion === null ? '.' : ''}`;
    });
}

function readerFaults(readers: readonly (Raw | null)[]): string[] {
  const everyBus = readers.filter((reader) => reader?.type === 'onewire' && reader.port === undefined);
  const faults = everyBus.length > 1 ? ['readers names all 1-Wire buses twice; give each its port.'] : [];
  readers.forEach((reader, index) => {
    if (reader === null || reader.type === 'onewire') return;
    if (reader.port === undefined)
      faults.push(`readers[${index}].port is missing: set the path of the reader.`);
    if (reader.type === 'usb-keyboard' && reader.captive === true)
      faults.push(
        `readers[${index}].captive is true, but a keyboard reader does not report when a card is removed.`,
      );
  });
  return faults;
}

function idleFaults(data: Raw, taps: readonly (Raw | null)[]): string[] {
  const pour = isGroup(data.pour) ? data.pour : {};
  const longest = pour.max_ms;
  if (typeof longest !== 'number') return [];
  const ownIdle = typeof pour.idle_ms === 'number' ? [{ path: 'pour.idle_ms', value: pour.idle_ms }] : [];
  return [...ownIdle, ...named(taps, 'taps', 'idle_ms')]
    .filter(({ value }) => typeof value === 'number' && value >= longest)
    .map(
      ({ path }) => `${path} must be shorter than pour.max_ms (${longest} ms), or no pour ends by itself.`,
    );
}

function trafficFaults(data: Raw): string[] {
  const demo = isGroup(data.demo) ? data.demo : {};
  const gpio = isGroup(data.gpio) ? data.gpio : {};
  if (demo.traffic !== true || gpio.driver === 'simulated') return [];
  return ['demo.traffic needs gpio.driver "simulated": simulated guests must not pour beside real ones.'];
}

/** A browser sends an origin in exactly one form, without path; another form would never match. */
function originFaults(data: Raw): string[] {
  const http = isGroup(data.http) ? data.http : {};
  const origins = Array.isArray(http.cors_origins) ? http.cors_origins : [];
  return origins.flatMap((origin: unknown, index) => {
    if (typeof origin !== 'string' || origin === '') return [];
    const path = `http.cors_origins[${index}]`;
    const parsed = URL.canParse(origin) ? new URL(origin) : null;
    if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
      return [
        `${path} must be one origin such as https://dashboard.example or http://192.168.1.20:3000; * and null are not possible.`,
      ];
    }
    return parsed.origin === origin
      ? []
      : [
          `${path} must be ${JSON.stringify(parsed.origin)}, as browsers send it: scheme, host and port alone.`,
        ];
  });
}

/** A certificate is of no use without its key, and both servers cannot listen on one port. */
function certificateFaults(data: Raw): string[] {
  const http = isGroup(data.http) ? data.http : {};
  const https = isGroup(data.https) ? data.https : {};
  const { certificate_file: certificate = '', key_file: key = '' } = https;
  const samePort = https.enabled !== false && http.port === https.port && typeof http.port === 'number';
  return [
    ...((certificate === '') === (key === '')
      ? []
      : ['https.certificate_file and https.key_file belong together: set both or none.']),
    ...(samePort && http.port !== 0 ? ['https.port must differ from http.port.'] : []),
  ];
}

/** Without its key no list of versions is accepted. */
function updateFaults(data: Raw): string[] {
  const { manifest_url: url = '', public_key: key = '' } = isGroup(data.updates) ? data.updates : {};
  if (typeof url !== 'string' || typeof key !== 'string') return [];
  return [
    ...(url === '' || isDownloadUrl(url)
      ? []
      : ['updates.manifest_url must be an https:// address without user, password, query and fragment.']),
    ...((url === '') === (key === '')
      ? []
      : ['updates.manifest_url and updates.public_key belong together: set both or none.']),
  ];
}
