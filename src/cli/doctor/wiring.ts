import type { Header } from '../../config/hardware-catalogue.ts';
import { findHeader } from '../../config/hardware-catalogue.ts';
import type { Config } from '../../config/schema.ts';
import type { HostInfo } from '../../devices/gpio/host-info.ts';
import { findHeaderPin, headerFinding } from '../../services/wiring/header-findings.ts';
import { type Finding, ok, unknown, warn } from '../../system/health/finding.ts';

/** Returns the header pin of each configured GPIO line, with a warning when the pin has another use. */
export function wiringFindings(config: Config, host: HostInfo): Finding[] {
  if (config.gpio.driver === 'simulated') return [unknown('Simulated pins need no wire.')];
  const header = findHeader(host.board);
  if (header === null) return [unknown(`The pin header of this ${host.board} is not known.`)];
  const lines = [...config.meters, ...config.toggles];
  return lines.map(({ port, pin }) => lineFinding(`${config.controller.name}.${port}`, pin, header));
}

function lineFinding(name: string, line: number, header: Header): Finding {
  const found = headerFinding(line, header);
  if (found === null) return ok(`${name}: GPIO ${line} is header pin ${findHeaderPin(line, header)}.`);
  return warn(`${name}: ${found.text}`, found.advice);
}
