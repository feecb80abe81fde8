import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createProblem, type Problem } from '../../core/health/problems.ts';
import type { ReaderStep, TokenReader, Unreadable } from '../readers/token-reader.ts';
import { BlockingCalls } from './blocking-calls.ts';
import { iButtonToken } from './ibutton-token.ts';
import { isBusMaster } from './w1-address.ts';

/** Interval of reading the kernel's device lists; the kernel searches the bus at its own interval. */
const pollMs = 500;

/** Polls without the iButton before it counts as removed: contact may break briefly in the holder. */
const missesUntilRemoved = 3;

/** Reading a list waits for a running bus search; a read that takes longer is taken to hang. */
const readLimitMs = 3_000;

/** Size of one bus's list: names of 16 characters; the kernel returns at most a page. */
const maxBytes = 4_096;
const maxIButtons = 64;
const maxMasters = 8;

/** Reads iButtons on the 1-Wire bus: a new one is presented, one missing for three polls is removed. */
export class IButtonReader implements TokenReader {
  readonly device = 'core.onewire';
  /** The kernel drops what fails its checksum. */
  readonly unreadable: Unreadable = { count: 0, text: null };
  readonly name: string;
  readonly #directory: string;
  /** The bus to read; null for all. */
  readonly #master: string | null;
  readonly #isCaptive: boolean;
  readonly #blockingCalls = new BlockingCalls({ limitMs: readLimitMs, maxHanging: 1 });
  /** iButtons present, with the number of polls in which each has been missing. */
  readonly #present = new Map<string, number>();
  #steps: ReaderStep[] = [];
  #polledMonoMs = Number.NEGATIVE_INFINITY;
  #polling: Promise<void> | null = null;
  #problem: Problem | null = null;

  constructor(options: {
    readonly directory: string;
    readonly master?: string;
    readonly isCaptive: boolean;
  }) {
    this.name = options.master ?? 'onewire';
    this.#directory = options.directory;
    this.#master = options.master ?? null;
    this.#isCaptive = options.isCaptive;
  }

  get problem(): Problem | null {
    return this.#problem;
  }

  poll(nowMonoMs: number): readonly ReaderStep[] {
    if (this.#polling === null && nowMonoMs - this.#polledMonoMs >= pollMs) {
      this.#polledMonoMs = nowMonoMs;
      this.#polling = this.#poll().finally(() => {
        this.#polling = null;
      });
    }
    return this.#steps.splice(0);
  }

  async close(): Promise<void> {
    await this.#polling;
  }

  async #poll(): Promise<void> {
    try {
      const result = await this.#blockingCalls.run(this.name, () => this.#readTokens());
      if (result.kind !== 'done') {
        this.#problem = createProblem('ibutton_bus_hangs');
        return;
      }
      this.#problem = null;
      this.#updatePresent(new Set(result.value));
    } catch (fault) {
      this.#problem = readProblem(join(this.#directory, this.#master ?? ''), fault);
      this.#updatePresent(new Set());
    }
  }

  #updatePresent(onBus: ReadonlySet<string>): void {
    for (const value of onBus) {
      if (!this.#present.has(value)) this.#steps.push({ kind: 'presented', value });
      this.#present.set(value, 0);
    }
    for (const [value, misses] of this.#present) {
      if (onBus.has(value)) continue;
      this.#present.set(value, misses + 1);
      if (misses + 1 < missesUntilRemoved) continue;
      this.#present.delete(value);
      if (this.#isCaptive) this.#steps.push({ kind: 'removed', value });
    }
  }

  /** The tokens that are on the bus now. */
  async #readTokens(): Promise<readonly string[]> {
    const names = await this.#readNames();
    return names.flatMap((name) => iButtonToken(name) ?? []).slice(0, maxIButtons);
  }

  async #readNames(): Promise<readonly string[]> {
    if (this.#master !== null) return readSlaves(this.#directory, this.#master);
    const entries = await readdir(this.#directory);
    const masters = entries.filter(isBusMaster).toSorted().slice(0, maxMasters);
    // A folder with the kernel's layout but without a bus master lists the devices directly.
    if (masters.length === 0) return entries;
    const lists: (readonly string[])[] = [];
    for (const master of masters) lists.push(await readSlaves(this.#directory, master));
    return lists.flat();
  }
}

async function readSlaves(directory: string, master: string): Promise<readonly string[]> {
  const file = await open(join(directory, master, 'w1_master_slaves'), 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, null);
    return buffer.toString('latin1', 0, bytesRead).split(/\s+/);
  } finally {
    await file.close();
  }
}

function readProblem(path: string, fault: unknown): Problem {
  const { code = 'unknown' } = fault as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? createProblem('ibutton_bus_missing', { path })
    : createProblem('ibutton_bus_not_read', { path, code });
}
