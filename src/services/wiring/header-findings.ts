import type { Header } from '../../config/hardware-catalogue.ts';
import type { WiringFinding } from '../../http/wiring-ports.ts';

/** Returns the header pin of a GPIO line; null when the line is not on the header. */
export function findHeaderPin(line: number, { pins }: Header): number | null {
  return pins.find((one) => one.kind === 'gpio' && one.gpio === line)?.header_pin ?? null;
}

/**
 * Returns the problem of using this GPIO line: it is not on the header, or it has another use. Null for a
 * free line.
 */
export function headerFinding(line: number, header: Header): WiringFinding | null {
  const pin = header.pins.find((one) => one.kind === 'gpio' && one.gpio === line);
  if (pin?.kind !== 'gpio') {
    return {
      topic: 'no_header_pin',
      status: 'warn',
      text: `GPIO ${line} is not on the header.`,
      advice: 'Write the GPIO number into the file, not the header pin.',
    };
  }
  if (pin.safe) return null;
  return {
    topic: 'other_use',
    status: 'warn',
    text: `GPIO ${line} is header pin ${pin.header_pin}, which is also for ${pin.also}.`,
    advice: `Use one without another function: GPIO ${freeLines(header).join(', ')}.`,
  };
}

function freeLines({ pins }: Header): number[] {
  const lines = pins.flatMap((pin) =>
    pin.kind === 'gpio' && pin.safe && pin.also === undefined ? [pin.gpio] : [],
  );
  return lines.sort((a, b) => a - b);
}
