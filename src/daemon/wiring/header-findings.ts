import { findBoard, type Header, headers } from '../../config/hardware-catalogue.ts';
import type { WiringFinding } from '../../http/wiring-ports.ts';

/** The pin header of the board that calls itself `model`; null where there is no table of it. */
export function findHeader(model: string): Header | null {
  const board = findBoard(model);
  return (board === null ? null : headers().get(board.header)) ?? null;
}

/** Where a GPIO line comes out on the header; null when it does not. */
export function findHeaderPin(line: number, { pins }: Header): number | null {
  return pins.find((one) => one.kind === 'gpio' && one.gpio === line)?.header_pin ?? null;
}

/** What is wrong with taking this line: it is not on the header, or something else may want it. Null when nothing is. */
export function headerFinding(line: number, header: Header): WiringFinding | null {
  const pin = header.pins.find((one) => one.kind === 'gpio' && one.gpio === line);
  if (pin?.kind !== 'gpio') {
    return {
      topic: 'no_header_pin',
      verdict: 'warn',
      text: `GPIO ${line} is not on the header.`,
      advice: 'The file wants the GPIO number, not the header pin.',
    };
  }
  if (pin.safe) return null;
  return {
    topic: 'other_use',
    verdict: 'warn',
    text: `GPIO ${line} is header pin ${pin.header_pin}, which is also for ${pin.also}.`,
    advice: `Take one that nothing else wants: GPIO ${freeLines(header).join(', ')}.`,
  };
}

function freeLines({ pins }: Header): number[] {
  const lines = pins.flatMap((pin) =>
    pin.kind === 'gpio' && pin.safe && pin.also === undefined ? [pin.gpio] : [],
  );
  return lines.sort((a, b) => a - b);
}
