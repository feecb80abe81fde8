import type { Header } from '../../config/hardware-catalogue.ts';
import type { Config } from '../../config/schema.ts';
import { findHeader, findHeaderPin, headerFinding } from '../../daemon/wiring/header-findings.ts';
import type { HostInfo } from '../../devices/gpio/host-info.ts';
import { type Finding, ok, unknown, warn } from '../../system/finding.ts';

/** Where each configured line comes out on the board's header, and whether something else may want it. */
export function wiringFindings(config: Config, place: HostInfo): Finding[] {
  if (config.gpio.driver === 'simulated') return [unknown('Simulated pins need no wire.')];
  const header = findHeader(place.board);
  if (header === null) return [unknown(`There is no table of the header of this ${place.board}.`)];
  const lines = [...config.meters, ...config.toggles];
  return lines.map(({ port, pin }) => lineFinding(`${config.controller.name}.${port}`, pin, header));
}

function lineFinding(name: string, line: number, header: Header): Finding {
  const found = headerFinding(line, header);
  if (found === null) return ok(`${name}: GPIO ${line} is header pin ${findHeaderPin(line, header)}.`);
  return warn(`${name}: ${found.text}`, found.advice);
}
