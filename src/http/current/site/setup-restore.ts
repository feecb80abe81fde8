import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, IsoSeconds, isoSeconds, Maybe } from '../../routes/schemas.ts';
import { availableBytes } from '../../server/large-file.ts';
import type { RouteServices } from '../../services.ts';
import { BackupJson, backupJson } from './backups.ts';

const Code = Type.String({ minLength: 1, maxLength: 64, description: 'Set-up code shown on the console.' });

/** 4 GiB − 1: the largest file on FAT32; a database of a million drinks is smaller. */
const maxArchiveBytes = 4 * 1024 ** 3 - 1;

/** The set-up step that restores a backup, instead of all other steps. */
export const setupRestoreRoutes = ({
  setup,
  admin,
}: Pick<RouteServices, 'setup' | 'admin'>): readonly Route[] => [
  defineRoute({
    id: 'setupListBackups',
    method: 'post',
    path: '/setup/backups',
    summary: 'List backups on this machine and its USB stick, newest first. Requires the set-up code',
    description:
      'For moving a site to a new machine or card. Backups of the backup folder and of USB sticks are listed, with ' +
      'the version that made them.',
    access: 'setup',
    attempt: 'code',
    accepts: { body: Closed({ code: Code }) },
    replies: {
      status: 200,
      body: Closed({
        backups: Type.Array(BackupJson, { description: 'Newest first.' }),
        most_bytes: Type.Integer({
          minimum: 0,
          'x-unit': 'bytes',
          description: 'Largest file that can be uploaded now.',
        }),
      }),
    },
    async run({ engine }, { body }) {
      setup.check(body.code);
      return {
        backups: (await admin.restorable()).map(backupJson),
        most_bytes: availableBytes(engine, maxArchiveBytes),
      };
    },
  }),
  defineRoute({
    id: 'setupRestore',
    method: 'post',
    path: '/setup/restore',
    summary:
      'Restore a backup: one stored on this machine, or an uploaded file of up to 4 GiB, sent after the code',
    description:
      'Instead of the other steps: the whole site comes from the backup, given by name or uploaded as `backup`. The ' +
      'archive is checked completely before anything is replaced, and the old database is kept under another name. ' +
      'A wrong archive is a 400 and changes nothing. Ends the set-up and all logins.',
    access: 'setup',
    attempt: 'code',
    writesCredential: { proof: 'setup-code' },
    accepts: {
      body: Closed({
        code: Code,
        backup_name: Maybe(
          Type.String({
            minLength: 1,
            maxLength: 128,
            description: 'Name of a backup listed by `POST /setup/backups`, instead of an uploaded file.',
          }),
        ),
      }),
      files: ['backup'],
    },
    largeFile: {
      maxBytes: maxArchiveBytes,
      checkFields({ code }) {
        if (typeof code === 'string') return setup.check(code);
        const fault = 'must come before the file';
        throw new AppError('invalid_request', `The code ${fault}.`, { fields: { code: fault } });
      },
    },
    errors: { conflict: ['backup_running'], unavailable: [] },
    replies: {
      status: 200,
      body: Closed({
        created_time: IsoSeconds,
        is_doubtful: Type.Boolean({
          description: 'True when its totals should be checked with `tapster doctor`.',
        }),
        has_other_settings: Type.Boolean({
          description:
            'True when its settings file differs from the one of this machine, which stays: the log says where it is.',
        }),
      }),
    },
    async run(_context, { body, files }) {
      setup.check(body.code);
      const upload = files.get('backup');
      if ((upload === undefined) === (body.backup_name === undefined)) {
        const allowed = 'send either a file or the name of a backup';
        throw new AppError('invalid_request', `Please ${allowed}.`, { fields: { backup: allowed } });
      }
      const { createdMs, hasWrongTotals, hasOtherSettings } = await admin.restore(
        upload === undefined ? { name: body.backup_name! } : { path: upload.path },
      );
      return {
        created_time: isoSeconds(createdMs),
        is_doubtful: hasWrongTotals,
        has_other_settings: hasOtherSettings,
      };
    },
  }),
];
