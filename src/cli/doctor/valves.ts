import { join } from 'node:path';
import type { Config } from '../../config/schema.ts';
import { type HostInfo, isPi5 } from '../../devices/gpio/host-info.ts';
import { type Finding, ok, unknown, warn } from '../../system/health/finding.ts';
import { readTextFile } from '../../system/small-files.ts';

/**
 * Checks what the kernel does with an open relay of a program that was killed (module parameter
 * `persist_gpio_outputs` of the header's pin driver; Raspberry Pi kernels since May 2024). `sysDirectory` is
 * `/sys` except in tests.
 */
export function valveFindings(
  config: Pick<Config, 'gpio' | 'toggles'>,
  host: HostInfo,
  sysDirectory = '/sys',
): Finding[] {
  if (config.gpio.driver === 'simulated') return [ok('The relays are simulated.')];
  if (config.toggles.length === 0) return [unknown('No relay is configured on a pin of this machine.')];
  const driver = isPi5(host) ? 'pinctrl_rp1' : 'pinctrl_bcm2835';
  const persists = readTextFile(join(sysDirectory, 'module', driver, 'parameters', 'persist_gpio_outputs'));
  if (persists === null) {
    return [
      unknown(
        'This kernel does not show what happens to an open valve when the daemon is killed. The service’s stop program shuts it.',
      ),
    ];
  }
  if (!/^[Y1]/i.test(persists))
    return [ok('The kernel releases the relays of a killed daemon (persist_gpio_outputs is off).')];
  return [
    warn(
      'The kernel keeps a relay switched on when the daemon is killed (persist_gpio_outputs is on). Only the service’s stop program shuts it.',
      `Add these lines to config.txt and restart the Pi: ${configLines(config.toggles).join(', ')}.`,
    ),
  ];
}

/** The lines of `config.txt` that release outputs, and that switch the relays off while the Pi starts. */
function configLines(toggles: Config['toggles']): string[] {
  const states = toggles.map(({ pin, active_low: activeLow }) => `gpio=${pin}=op,${activeLow ? 'dh' : 'dl'}`);
  return ['dtparam=strict_gpiod', ...states];
}
