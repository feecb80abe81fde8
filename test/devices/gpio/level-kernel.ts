import { type LineRequest, lineFlag } from '../../../src/devices/gpio/gpio-structs.ts';
import { KernelError } from '../../../src/devices/gpio/gpio-uapi.ts';
import { FakeKernel } from './fake-kernel.ts';

interface Line {
  readonly offset: number;
  readonly flags: bigint;
}

/**
 * A fake kernel with levels at its pins. With `keepsOutputs`, as on a Raspberry Pi (`persist_gpio_outputs=Y`), a
 * released output keeps its level; otherwise it becomes an input with the pull resistor of its last request.
 */
export class LevelKernel extends FakeKernel {
  readonly keepsOutputs: boolean;
  readonly #pins = new Map<number, 0 | 1>();
  readonly #lines = new Map<number, Line>();

  constructor(lines: number, keepsOutputs: boolean) {
    super(lines);
    this.keepsOutputs = keepsOutputs;
  }

  /** The level at a pin; 0 for one that was never used. */
  level(offset: number): 0 | 1 {
    return this.#pins.get(offset) ?? 0;
  }

  /** Frees all lines without switching them, as the kernel does for a process that was killed. */
  killOwner(): void {
    for (const fd of [...this.#lines.keys()]) this.close(fd);
  }

  override lineInfo = (_path: string, offset: number) => {
    const owner = this.owners.get(offset) ?? this.#lineOwner(offset);
    return { name: '', consumer: owner ?? '', isUsed: owner !== undefined };
  };

  override requestLines = (_path: string, request: LineRequest) => {
    const [line] = request.lines;
    if (line === undefined || this.#lineOwner(line.offset) !== undefined)
      throw new KernelError('GPIO_V2_GET_LINE', 'EBUSY');
    this.requests.push(request);
    const fd = this.createWakeup();
    this.#lines.set(fd, line);
    this.switchOutput(fd, false);
    return fd;
  };

  override switchOutput = (fd: number, on: boolean) => {
    const { offset, flags } = this.#lines.get(fd)!;
    this.switched.push({ fd, on });
    this.#pins.set(offset, on === ((flags & lineFlag.activeLow) === 0n) ? 1 : 0);
  };

  override close = (fd: number) => {
    this.open.delete(fd);
    const line = this.#lines.get(fd);
    this.#lines.delete(fd);
    if (line === undefined || this.keepsOutputs) return;
    this.#pins.set(line.offset, (line.flags & lineFlag.biasPullUp) === 0n ? 0 : 1);
  };

  #lineOwner(offset: number): string | undefined {
    return [...this.#lines.values()].some((line) => line.offset === offset) ? 'tapster-1' : undefined;
  }
}
