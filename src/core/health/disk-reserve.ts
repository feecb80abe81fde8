/**
 * What is written to the database's disk:
 *
 * - `pour`: beer that was poured, from pins, boards, device events, the legacy API or by hand, with its session, events
 *   and queued reports; also spills.
 * - `operation`: what keeps the bar running and is bounded: logins, wrong PINs, cards and grants, closing of valves, the
 *   hardware of the settings file, outcomes of deliveries, alarms, corrections of the clock.
 * - `removal`: deletes rows or files; a short entry of the audit log is all that it adds.
 * - `change`: everything else that people and programs create or change, with its entry of the audit log.
 * - `temperature`: readings of thermo sensors.
 * - `file`: pictures, uploads, archives of backups and what is unpacked from them.
 *
 * The pour journal is not among them: it writes to a file of fixed size. Log lines and exports are not written to disk.
 */
export type WriteKind = 'pour' | 'operation' | 'removal' | 'change' | 'temperature' | 'file';

const MiB = 1_048_576;

/**
 * Bytes that must stay free after a write; 0 for what is never refused. 50 MiB take 25 000 pours of 2 KiB and some
 * checkpoints of the write-ahead log. 200 MiB leave room for a system update as well.
 */
export const reserveBytes: Readonly<Record<WriteKind, number>> = {
  pour: 0,
  operation: 0,
  removal: 0,
  temperature: 50 * MiB,
  change: 50 * MiB,
  file: 200 * MiB,
};

/** How many bytes may be written now; infinite for what is never refused. */
export function writableBytes(kind: WriteKind, freeBytes: number): number {
  const reserve = reserveBytes[kind];
  return reserve === 0 ? Number.POSITIVE_INFINITY : Math.max(0, freeBytes - reserve);
}
