/** Buckets of the time that the disk needs, seconds: a good card takes 5 ms, a worn one a second. */
const diskBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** One metric of `/metrics`. */
export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Base unit; empty for numbers of things, flags and information. */
  readonly unit: '' | 'bytes' | 'celsius' | 'liters' | 'seconds';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[];
}

/** Every metric. docs/monitoring/README.md contains this table. */
export const metricTable = {
  tapster_build_info: gauge('The running version; always 1.', ['version']),
  tapster_tap_info: gauge('The name of a tap and what is on it; always 1.', ['tap', 'name', 'beverage']),

  tapster_pour_ticks_total: counter('Ticks counted, drips included.', ['meter']),
  tapster_pour_ticks_lost_total: counter(
    'Ticks known to be lost: missed by the kernel, or dropped because our buffer was full.',
    ['meter', 'cause'],
  ),
  tapster_tick_loss_detectable: gauge(
    '1 while every lost tick of the meter would be noticed, 0 where the driver cannot prove it.',
    ['meter'],
  ),
  tapster_edges_rejected_total: counter('Edges that the filter rejected as bounce.', ['meter']),
  tapster_meter_working: gauge('1 while the meter counts, 0 while it cannot be read.', ['meter']),
  tapster_pours_total: counter(
    'Ended pours: recorded as a drink, held for review, flow of a line cleaning, too small (drip), or moved to and fro in the line (back_flow). Corrections change nothing.',
    ['tap', 'result'],
  ),
  tapster_poured_liters_total: counter(
    'Volume of recorded drinks without those held for review. Corrections change nothing.',
    ['tap'],
    'liters',
  ),
  tapster_pour_volume_liters: histogram('Volume of recorded drinks.', {
    unit: 'liters',
    buckets: [0.1, 0.2, 0.3, 0.4, 0.5, 1, 2],
  }),
  tapster_pour_duration_seconds: histogram('Duration of recorded drinks, from the first tick to the last.', {
    buckets: [2, 5, 10, 20, 30, 60, 300],
  }),
  tapster_open_pours: gauge('Pours that are running on the meters of this machine and its serial boards.'),
  tapster_waiting_pours: gauge('Ended pours in the pour journal that the database has not taken yet.'),
  tapster_held_pours: gauge('Pours that wait for review.'),

  tapster_pouring: gauge('1 while beer runs at the tap.', ['tap']),
  tapster_keg_remaining_liters: gauge('Volume left in the keg on the tap.', ['tap'], 'liters'),
  tapster_keg_capacity_liters: gauge('Volume of the full keg on the tap.', ['tap'], 'liters'),
  tapster_valve_open: gauge('1 while the valve of the tap is open; absent for a tap without one.', ['tap']),
  tapster_temperature_celsius: gauge('Last temperature of a sensor.', ['sensor'], 'celsius'),
  tapster_temperature_stale: gauge('1 when the sensor has missed three readings, else 0.', ['sensor']),
  tapster_temperature_timestamp_seconds: gauge('Time of the last reading, Unix time.', ['sensor'], 'seconds'),
  tapster_board_last_report_timestamp_seconds: gauge(
    'Time of the last report of a network kegboard, Unix time.',
    ['board'],
    'seconds',
  ),

  tapster_journal_write_duration_seconds: histogram(
    'Duration of a write to the pour journal, sync included.',
    {
      buckets: diskBuckets,
    },
  ),
  tapster_commit_duration_seconds: histogram(
    'Duration of a database transaction, sync included: the recording of a pour, or another change.',
    { buckets: diskBuckets, labels: ['kind'] },
  ),
  tapster_database_size_bytes: gauge('Size of a file of the database.', ['file'], 'bytes'),
  tapster_disk_free_bytes: gauge('Free space of the disk with the database.', [], 'bytes'),
  tapster_disk_written_bytes_total: counter(
    'Bytes that the kernel wrote to a disk for this process since its start, a measure of card wear.',
    [],
    'bytes',
  ),
  tapster_journal_written_bytes_total: counter('Bytes written to the pour journal.', [], 'bytes'),
  tapster_backup_last_success_timestamp_seconds: gauge(
    'Time of the last nightly backup, Unix time; absent without one.',
    [],
    'seconds',
  ),

  tapster_outbox_messages: gauge('Messages that wait, or were given up (dead).', ['channel', 'state']),
  tapster_outbox_oldest_timestamp_seconds: gauge(
    'Creation time of the oldest waiting message, Unix time; absent while none waits.',
    ['channel'],
    'seconds',
  ),
  tapster_outbox_sends_total: counter('Attempts to deliver a message.', ['channel', 'result']),

  tapster_http_request_duration_seconds: histogram(
    'Time from the start of an answer to its end; live streams and long polls last as long as the client stays.',
    { buckets: [0.005, 0.02, 0.1, 0.5, 2, 10], labels: ['route', 'method', 'code'] },
  ),
  tapster_event_loop_delay_seconds: histogram('Delay of the 50 ms heartbeat of the main loop.', {
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  }),
  tapster_health: gauge('1 while a part of the daemon works, 0 while it has a problem.', ['part']),
  tapster_mqtt_connected: gauge(
    '1 while the MQTT broker is connected, 0 while it is not; absent while MQTT is off.',
  ),
  tapster_clock_synchronized: gauge('1 once the time of the machine is set, 0 while it is unknown.'),
  process_cpu_seconds_total: counter('CPU time of the process.', [], 'seconds'),
  process_resident_memory_bytes: gauge('Resident memory of the process.', [], 'bytes'),
  process_start_time_seconds: gauge('Start of the process, Unix time.', [], 'seconds'),
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof metricTable;

/** The label values of one sample of a metric. */
export type LabelsOf<N extends MetricName> = Readonly<
  Record<(typeof metricTable)[N]['labels'][number], string>
>;

/** Formats the table for docs/monitoring/README.md. */
export function formatMetricTable(): string {
  const rows = Object.entries<MetricDefinition>(metricTable).map(
    ([name, { type, unit, labels, help }]) =>
      `| \`${name}\` | ${type} | ${unit || '–'} | ${labels.map((label) => `\`${label}\``).join(' ') || '–'} | ${help} |\n`,
  );
  return ['| Metric | Type | Unit | Labels | Meaning |\n', '|---|---|---|---|---|\n', ...rows].join('');
}

type Unit = MetricDefinition['unit'];

function gauge<const L extends readonly string[] = readonly []>(
  help: string,
  labels: L = [] as readonly string[] as L,
  unit: Unit = '',
) {
  return { type: 'gauge', help, labels, unit } as const;
}

function counter<const L extends readonly string[] = readonly []>(
  help: string,
  labels: L = [] as readonly string[] as L,
  unit: Unit = '',
) {
  return { type: 'counter', help, labels, unit } as const;
}

function histogram<const L extends readonly string[] = readonly []>(
  help: string,
  options: { readonly buckets: readonly number[]; readonly labels?: L; readonly unit?: Unit },
) {
  const { buckets, labels = [] as readonly string[] as L, unit = 'seconds' } = options;
  return { type: 'histogram', help, labels, unit, buckets } as const;
}
