import { arch, freemem, hostname, release, totalmem, uptime } from 'node:os';
import type { Config } from '../../config/schema.ts';
import { joinMessages } from '../../core/health/problems.ts';
import type { Engine } from '../../engine/engine.ts';
import type { HealthReport } from '../../system/health/health.ts';
import { describeExit, type LastExit } from '../../system/last-run.ts';
import type { RecentLine } from '../../system/log/log-memory.ts';
import { createRedactor } from '../../system/log/redact.ts';
import { productVersion } from '../../system/product.ts';
import { withStoredHardware } from '../hardware/stored-hardware.ts';

/** The input of a bug report. */
interface BugReportInput {
  readonly config: Config;
  /** What it says of the settings of extensions, by their full names. */
  readonly ofExtensions: Readonly<Record<string, unknown>>;
  readonly engine: Engine | null;
  readonly health: HealthReport;
  /** The newest first. */
  readonly lines: readonly RecentLine[];
  /** How the run before this one ended; null when that is unknown. */
  readonly lastExit: LastExit | null;
  /** True when the clock has been set. */
  readonly clockSynced: boolean;
}

/** Bound of the log lines in a report. */
const maxLogLines = 1_000;

/** Fields of a log line that hold only numbers or fixed words. */
const safeFields: ReadonlySet<string> = new Set([
  'part',
  'status',
  'sinceStartMs',
  'drinks',
  'signal',
  'exit',
  'event',
  'method',
]);

/**
 * Formats the state of this installation for the developers. It contains nobody's name, address, key or
 * token: settings are listed one by one, and sentences are redacted wherever they may contain personal data.
 */
export function bugReport(input: BugReportInput): string {
  const { config, engine, health, lines, lastExit, clockSynced } = input;
  const redact = createRedactor([
    hostname(),
    config.controller.name,
    ...(engine?.reports.overview.names() ?? []),
  ]);
  return [
    'Tapster bug report',
    ...section('Program', [
      `version: ${productVersion()}`,
      `node: ${process.versions.node}`,
      `machine: ${arch()}, kernel ${release().split('-')[0]}`,
      `up: ${Math.round(uptime() / 3_600)} h, the daemon ${Math.round(process.uptime() / 60)} min`,
      `memory: ${megabytes(process.memoryUsage.rss())} of ${megabytes(totalmem())} MB, ${megabytes(freemem())} MB free`,
      `clock set: ${clockSynced}`,
      `end of the last run: ${lastExit === null ? 'unknown' : `${lastExit.kind}. ${redact(describeExit(lastExit))}`}`,
    ]),
    ...section('Settings', settings(input)),
    ...section(
      'Health',
      health.parts.map(({ name, problems }) => `${name}: ${redact(joinMessages(problems) ?? 'ok')}`),
    ),
    ...section('Database', databaseLines(engine)),
    ...section(
      'Log, the newest first',
      lines.slice(0, maxLogLines).map((line) => logLine(line, redact)),
    ),
    '',
    'For the state of board, pins, thermo sensors, power and disk run: tapster doctor',
    '',
  ].join('\n');
}

const section = (title: string, lines: readonly string[]): string[] => [
  '',
  title,
  ...lines.map((line) => `  ${line}`),
];

function settings({
  config,
  engine,
  ofExtensions,
}: Pick<BugReportInput, 'config' | 'engine' | 'ofExtensions'>): string[] {
  const { gpio, taps, pour, judgement, grants, onewire, demo, log, http, backups } = config;
  const { meters, toggles } = withStoredHardware(config).config;
  const site = engine?.users.site();
  const values: Record<string, unknown> = {
    'gpio.driver': gpio.driver,
    meters: meters.map(({ model, ticks_per_ml, min_gap_ms, bias, edge }) => ({
      model,
      ticks_per_ml,
      min_gap_ms,
      bias,
      edge,
    })),
    toggles: toggles.length,
    taps: taps.length,
    pour,
    judgement,
    grants,
    'onewire.interval_s': onewire.interval_s,
    ...ofExtensions,
    demo,
    'log.level': log.level,
    'http.trust_proxy': http.trust_proxy,
    'http.cors_origins': http.cors_origins.length,
    'http.rate_limits': http.rate_limits,
    'backups.copy_to': backups.copy_to === '' ? 'not set' : 'set',
    'site.privacy': site?.privacy,
    'site.time_zone': site?.timeZone,
    'site.session_timeout_minutes': site?.sessionTimeoutMinutes,
    'site.is_set_up': site?.isSetUp,
  };
  return Object.entries(values).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
}

function databaseLines(engine: Engine | null): string[] {
  if (engine === null) return ['closed'];
  const { overview } = engine.reports;
  return [
    `schema: ${overview.schemaVersion()}`,
    `size: ${megabytes(overview.databaseBytes())} MB`,
    ...overview
      .tables()
      .flatMap(({ table, highestId }) => (highestId === null ? [] : [`${table}: up to ${highestId}`])),
  ];
}

function logLine({ level, timeMs, message, details }: RecentLine, redact: (text: string) => string): string {
  const fields = details === '' ? {} : (JSON.parse(details) as Record<string, unknown>);
  const plain = Object.entries(fields).flatMap(([name, value]) =>
    safeFields.has(name) && ['string', 'number', 'boolean'].includes(typeof value)
      ? [`${name}=${redact(String(value))}`]
      : [],
  );
  const parts = [
    new Date(timeMs).toISOString(),
    level,
    redact(message),
    ...plain,
    ...formatFault(fields.err),
  ];
  return parts.join(' ').replaceAll(/\p{Cc}+/gu, ' ');
}

/**
 * The type, code and source positions of an error; its message is left out because it may contain anything.
 */
function formatFault(err: unknown): string[] {
  if (typeof err !== 'object' || err === null) return [];
  const { type, code, stack } = err as { type?: unknown; code?: unknown; stack?: unknown };
  const places = [...String(stack ?? '').matchAll(/([\w-]+\.(?:js|ts)):(\d+):\d+/g)].slice(0, 6);
  const word = (value: unknown) => (typeof value === 'string' && /^\w{1,40}$/.test(value) ? [value] : []);
  return [...word(type), ...word(code), ...places.map(([, file, line]) => `${file}:${line}`)];
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
