import { AppError } from '../../core/app-error.ts';
import type { PinEntry } from '../../core/taps/pin-entries.ts';
import type { LineRefusal } from './live-hardware.ts';

/** Why a change of the hardware is refused; parts are named in full. */
export const refusals = {
  unknownPart: (kind: PinEntry['kind'], port: string): AppError =>
    new AppError('not_found', `There is no ${kind} "${port}" on the pins of this machine.`),

  inSettingsFile: (what: string): AppError =>
    new AppError('conflict', `${what} is set in the settings file, which wins: change it there.`, {
      reason: { name: 'in_settings_file', what },
    }),

  hardwareChanging: (): AppError =>
    new AppError('conflict', 'Another change of the hardware is under way; try again in a few seconds.', {
      reason: { name: 'hardware_changing' },
    }),

  lineNotOpened({ name, problem }: LineRefusal): AppError {
    const sentence = `${name} could not be switched on, so nothing was changed. ${problem.message}`;
    return new AppError('conflict', sentence, {
      reason: { name: 'line_not_opened', what: name, problem: problem.message },
      problem,
    });
  },

  noOtherMachine: (): AppError =>
    new AppError('conflict', 'No relay was wired to another machine.', {
      reason: { name: 'no_other_machine' },
    }),

  relayIsOpen: (relay: string): AppError =>
    new AppError('conflict', `The valve at ${relay} is open: shut it or wait, then try again.`, {
      reason: { name: 'relay_is_open', relay },
    }),

  noServiceManager: (): AppError =>
    new AppError('conflict', 'No service manager would start Tapster again here: restart it by hand.', {
      reason: { name: 'no_service_manager' },
    }),
};
