import { omitUndefined } from '../../../../src/core/omit-undefined.ts';
import { BoardCounters } from '../../../../src/extensions/serial-boards/devices/board-counters.ts';
import {
  type BoardStep,
  SerialBoard,
} from '../../../../src/extensions/serial-boards/devices/serial-board.ts';
import { type BoardCommand, createCommandParser } from '../kit/serial-board.ts';

/** A serial board on one link, with a manual clock. */
export function createBoardRig({
  name,
  counters = new BoardCounters(),
}: {
  name?: string;
  counters?: BoardCounters;
} = {}) {
  let nowMs = 100_000;
  const steps: BoardStep[] = [];
  const commands: (BoardCommand & { readonly atMs: number; readonly bytes: number })[] = [];
  const open = () =>
    new SerialBoard({
      openedMonoMs: nowMs,
      findCounters: () => counters,
      ...omitUndefined({ name }),
    });
  let board = open();

  /** Advances the clock, stepping the board every 50 ms as the daemon does. */
  function pass(ms: number): void {
    const parse = createCommandParser();
    const untilMs = nowMs + ms;
    while (nowMs < untilMs) {
      nowMs = Math.min(nowMs + 50, untilMs);
      board.relays?.noteHeartbeat(nowMs);
      const { steps: found, write } = board.step(nowMs);
      steps.push(...found);
      for (const bytes of write) {
        for (const command of parse(bytes)) commands.push({ ...command, atMs: nowMs, bytes: bytes.length });
      }
    }
  }

  return {
    pass,
    steps,
    commands,
    now: () => nowMs,
    board: () => board,
    /** Receives bytes, then advances the clock by 101 ms. */
    send(...frames: readonly Uint8Array[]) {
      for (const frame of frames) steps.push(...board.receive(frame, nowMs));
      pass(101);
    },
    /** Unplugs the board and plugs it in again after `afterMs`. */
    reopen(afterMs = 0) {
      steps.push(...board.disconnect().steps);
      nowMs += afterMs;
      board = open();
    },
    ticks: () => steps.reduce((sum, step) => sum + (step.kind === 'reported' ? step.report.ticks : 0), 0),
    lost: () => steps.flatMap((step) => (step.kind === 'reported' ? [step.report.lost] : [])),
    stepsOf: <K extends BoardStep['kind']>(kind: K) =>
      steps.filter((step): step is Extract<BoardStep, { kind: K }> => step.kind === kind),
  };
}
