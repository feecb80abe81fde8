import { boardOfModel, type Header, headers } from '../../config/hardware-catalogue.ts';
import type { Config } from '../../config/schema.ts';
import type { Place } from '../../devices/gpio/place.ts';
import { type Finding, ok, unknown, warn } from '../../system/finding.ts';

/** Where each configured line comes out on the board's header, and whether something else may want it. */
export function wiringFindings(config: Config, place: Place): Finding[] {
  if (config.gpio.driver === 'simulated') return [unknown('Simulated pins need no wire.')];
  const board = boardOfModel(place.board);
  const header = board === null ? undefined : headers().get(board.header);
  if (header === undefined) return [unknown(`There is no table of the header of this ${place.board}.`)];
  const lines = [...config.meters, ...config.toggles];
  return lines.map(({ port, pin }) => lineFinding(`${config.controller.name}.${port}`, pin, header));
}

function lineFinding(name: string, line: number, header: Header): Finding {
  const pin = header.pins.find((one) => one.kind === 'gpio' && one.gpio === line);
  if (pin?.kind !== 'gpio') {
    return warn(
      `${name}: GPIO ${line} is not on the header.`,
      'The file wants the GPIO number, not the header pin.',
    );
  }
  const where = `${name}: GPIO ${line} is header pin ${pin.header_pin}`;
  if (pin.safe) return ok(`${where}.`);
  return warn(
    `${where}, which is also for ${pin.also}.`,
    `Take one that nothing else wants: GPIO ${freeLines(header).join(', ')}.`,
  );
}

function freeLines({ pins }: Header): number[] {
  const lines = pins.flatMap((pin) =>
    pin.kind === 'gpio' && pin.safe && pin.also === undefined ? [pin.gpio] : [],
  );
  return lines.sort((a, b) => a - b);
}
