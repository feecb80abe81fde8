import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One row of `/proc/interrupts`. */
interface InterruptRow {
  /** The kernel's number of the interrupt, or a name such as `NMI`. */
  readonly irq: string;
  /** Interrupts since boot, summed over the processors; wraps at 2^32. */
  readonly count: number;
  readonly chip: string;
  /** Number on its chip: the line offset of a GPIO; null where the row has none. */
  readonly hwirq: number | null;
  /** Its owner; empty when it has none now. */
  readonly consumer: string;
}

/** Parses the kernel's table; rows of unknown form are left out. */
export function parseInterrupts(text: string): InterruptRow[] {
  const [header = '', ...rows] = text.split('\n');
  const processors = header.match(/\bCPU\d+/g)?.length ?? 0;
  return processors === 0 ? [] : rows.flatMap((row) => parseRow(row, processors));
}

/** Reads the current table; null when it cannot be read. */
export function readInterrupts(procDirectory: string): InterruptRow[] | null {
  try {
    return parseInterrupts(readFileSync(join(procDirectory, 'interrupts'), 'latin1'));
  } catch {
    return null;
  }
}

/**
 * Interrupt counts of the daemon's lines since they were requested: evidence independent of the events
 * themselves.
 */
export class InterruptCounters {
  readonly #read: () => InterruptRow[] | null;
  readonly #before = new Map<string, InterruptRow>();

  /** Create it before the lines are requested: a row keeps its count after its owner has released it. */
  constructor(read: () => InterruptRow[] | null) {
    this.#read = read;
    for (const row of read() ?? []) this.#before.set(row.irq, row);
  }

  /**
   * Counts by line for the rows owned by `consumer`; null for a line without a row, or with two (another
   * chip's).
   */
  counts(consumer: string, offsets: readonly number[]): (number | null)[] {
    const ours = (this.#read() ?? []).filter((row) => row.consumer === consumer);
    return offsets.map((offset) => {
      const rows = ours.filter((row) => row.hwirq === offset);
      const [row] = rows;
      if (row === undefined || rows.length > 1) return null;
      const previous = this.#before.get(row.irq);
      const base = previous?.hwirq === row.hwirq && previous.chip === row.chip ? previous.count : 0;
      return (row.count - base) >>> 0;
    });
  }
}

function parseRow(row: string, processors: number): InterruptRow[] {
  const [, irq, rest] = /^\s*(\S+):(.*)$/.exec(row) ?? [];
  if (irq === undefined || rest === undefined) return [];
  const fields = rest.trim().split(/\s+/);
  const counts = fields.slice(0, processors).map(Number);
  if (counts.length < processors || !counts.every(Number.isSafeInteger)) return [];
  const [, chip = '', hwirq, consumer = ''] =
    /^(\S+)(?:\s+(\d+)(?:-\S+)?)?(?:\s+(?:Edge|Level)(?:\s*-\S+)?(?=\s|$))?\s*(.*)$/.exec(
      fields.slice(processors).join(' '),
    ) ?? [];
  const count = counts.reduce((sum, one) => sum + one, 0) >>> 0;
  return [{ irq, count, chip, hwirq: hwirq === undefined ? null : Number(hwirq), consumer }];
}
