import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReaderStep, TokenReader } from '../readers/token-reader.ts';
import { BlockingCalls } from './blocking-calls.ts';
import { iButtonToken } from './ibutton-token.ts';
import { isBusMaster } from './w1-address.ts';

/** How often the kernel's lists are looked at; the kernel itself searches the bus at its own pace. */
const pollMs = 500;

/** An iButton that slips in its holder for a moment has not left. */
const missesUntilRemoved = 3;

/** Reading a list waits for a search that runs; one that takes longer hangs. */
const readLimitMs = 3_000;

/** A list of one bus: names of 16 characters; the kernel gives no more than a page. */
const maxBytes = 4_096;
const maxIButtons = 64;
const maxMasters = 8;

/** iButtons on the 1-Wire bus: one that shows up is presented, one that is missing for a while was taken away. */
export class IButtonReader implements TokenReader {
  readonly device = 'core.onewire';
  readonly name: string;
  readonly #directory: string;
  /** One bus, or null for all. */
  readonly #master: string | null;
  readonly #isCaptive: boolean;
  readonly #blockingCalls = new BlockingCalls({ limitMs: readLimitMs, maxHanging: 1 });
  /** Buttons that are there, and how often they were missed since. */
  readonly #present = new Map<string, number>();
  #steps: ReaderStep[] = [];
  #polledMonoMs = Number.NEGATIVE_INFINITY;
  #polling: Promise<void> | null = null;
  #problem: string | null = null;

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

  get problem(): string | null {
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
        this.#problem = 'The 1-Wire bus hangs, so iButtons are not seen; take its power away for a moment.';
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

  /** The tokens that hang on the bus now. */
  async #readTokens(): Promise<readonly string[]> {
    const names = await this.#readNames();
    return names.flatMap((name) => iButtonToken(name) ?? []).slice(0, maxIButtons);
  }

  async #readNames(): Promise<readonly string[]> {
    if (this.#master !== null) return readSlaves(this.#directory, this.#master);
    const entries = await readdir(this.#directory);
    const masters = entries.filter(isBusMaster).toSorted().slice(0, maxMasters);
    // Folders with the kernel's layout but without a bus show what hangs on it all the same.
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

function readProblem(path: string, fault: unknown): string {
  const { code } = fault as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return `There is no 1-Wire bus at ${path}, so iButtons are not seen. Add dtoverlay=w1-gpio to /boot/firmware/config.txt and restart the Pi.`;
  return `The 1-Wire bus at ${path} cannot be read (${code ?? 'unknown fault'}), so iButtons are not seen.`;
}
