import { Bool, Group, List, Optional, Text } from '../../../config/schema-builders.ts';
import { defineSettings, type SettingsOf } from '../../../config/settings-group.ts';

/** One entry of `serial.boards`. */
const SerialBoard = Group(
  {
    path: Text({
      minLength: 1,
      maxLength: 4096,
      description:
        'Its port, preferably by a stable name: `/dev/serial/by-id/usb-…`. A path such as `/dev/ttyACM0` may change when it is plugged in again.',
    }),
    name: Optional(
      Text({
        minLength: 1,
        maxLength: 64,
        pattern: '^[A-Za-z0-9_-]+$',
        description:
          'Name of the board in meter names, in place of `kegboard-` and the last eight characters of its serial number.',
      }),
    ),
  },
  { description: 'A Kegboard on a serial port.' },
);

/** The boards, and where to look for others. */
export const serialGroup = defineSettings({
  name: 'serial',
  properties: {
    boards: List(SerialBoard, {
      maxItems: 16,
      default: [],
      description: 'Kegboards on serial ports; their meters make `kegboard-deadbeef.flow0`.',
    }),
    auto: Bool({
      default: false,
      description:
        'Try every serial port that is plugged in. Leave it off beside other serial devices: a port that is opened may reset what is on it.',
    }),
    directory: Text({
      minLength: 1,
      maxLength: 4096,
      default: '/dev/serial/by-id',
      description: 'Where the system lists the serial ports that are plugged in.',
    }),
  },
  unique: { controllers: { list: 'boards', key: 'name' }, ports: { list: 'boards', key: 'path' } },
  complete: (settings, toPath) => ({
    ...settings,
    directory: toPath(settings.directory),
    boards: settings.boards.map((board) => ({ ...board, path: toPath(board.path) })),
  }),
  report: ({ auto, boards }) => ({ auto, boards: boards.length }),
});

export type SerialSettings = SettingsOf<typeof serialGroup>;
