import { AppError } from '../../../core/app-error.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { ToggleOutput } from '../../../devices/device-interfaces.ts';
import type { SerialBoard } from './serial-board.ts';

interface SerialTogglesOptions {
  /** Returns the board of a controller; null while it is not connected. */
  readonly findBoard: (controller: string) => SerialBoard | null;
  readonly boards: () => readonly SerialBoard[];
  readonly nowMonoMs: () => number;
  /** Shuts all relays and closes the ports. */
  readonly closePorts: () => Promise<void>;
}

/**
 * The relays of all serial boards by full name. `open` throws `unavailable` while the board is not connected.
 */
export function createSerialToggles({
  findBoard,
  boards,
  nowMonoMs,
  closePorts,
}: SerialTogglesOptions): ToggleOutput {
  function find(name: string): { readonly board: SerialBoard | null; readonly port: string } {
    const dot = name.indexOf('.');
    return { board: findBoard(name.slice(0, dot)), port: name.slice(dot + 1) };
  }

  return {
    open(name, { maxMs, maxTicks, meter }) {
      const { board, port } = find(name);
      if (!board?.relays) {
        const problem = `The board of "${name}" is not connected, so its relay cannot be opened.`;
        throw new AppError('unavailable', problem);
      }
      // Only the ticks of a meter on the same board arrive early enough to limit the relay.
      const counted = meter === undefined ? null : find(meter);
      const isOwn = counted !== null && counted.board === board;
      const limits = {
        maxMs,
        ...omitUndefined({ maxTicks, meter: isOwn ? counted.port : undefined }),
      };
      board.relays.open(port, limits, nowMonoMs());
    },
    shut(name) {
      const { board, port } = find(name);
      board?.relays?.shut(port, nowMonoMs());
    },
    isOpen(name) {
      const { board, port } = find(name);
      return board?.relays?.isOpen(port) ?? false;
    },
    isConnected: (name) => find(name).board?.relays != null,
    heartbeat() {
      for (const board of boards()) board.relays?.noteHeartbeat(nowMonoMs());
    },
    close: closePorts,
  };
}
