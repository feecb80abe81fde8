import { defineExtension } from '../extension.ts';
import { serialGroup } from './config/settings-group.ts';

/** Kegboards on a serial port or USB; the group `serial` of the settings file names them or lets the daemon look for them. */
export const serialBoards = defineExtension({
  name: 'serial-boards',
  isOnByDefault: false,
  settings: serialGroup,
  isConfigured: ({ auto, boards }) => auto || boards.length > 0,
  needsConfiguration: true,
  countingSource: {
    returnMs: 15_000,
    load: async () => (await import('./services/serial-controllers.ts')).startSerialBoards,
  },
  doctorCheck: {
    title: 'Serial boards',
    load: async () => (await import('./cli/serial-findings.ts')).serialFindings,
  },
  healthPart: 'serial',
  texts: [
    'serialBoards.',
    'daemon.problems.serial',
    'daemon.problemTexts.board_not_connected',
    'daemon.problemTexts.board_unplugged',
    'daemon.problemTexts.port_busy',
    'daemon.problemTexts.port_duplicate',
    'daemon.problemTexts.port_empty',
    'daemon.problemTexts.port_firmware_old',
    'daemon.problemTexts.port_not_opened',
    'daemon.problemTexts.port_silent',
    'daemon.problemTexts.port_unplugged',
    'daemon.problemTexts.port_without_kegboard',
  ],
});
