import { pipeline } from 'node:stream/promises';
import Type, { type Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { StoredBackup } from '../../admin-ports.ts';
import { ProblemJson, problemJson } from '../../routes/problem-json.ts';
import { defineRawRoute, defineRoute, type Route } from '../../routes/route.ts';
import { type RouteContext, requestActor } from '../../routes/route-context.ts';
import { Closed, IsoSeconds, isoSeconds, Nullable, named, Open } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { PagingJson, wholeListPaging } from '../shared/paging.ts';

const Name = Type.String({ minLength: 1, maxLength: 128, description: 'Name of the backup’s file.' });

const Occasion = Type.Enum(['nightly', 'manual', 'upgrade'], {
  description: 'Why it was made. `upgrade`: made before another version of the program opened the database.',
});

export const BackupJson = named(
  'Backup',
  Closed(
    {
      backup_name: Name,
      created_time: { ...IsoSeconds, description: 'UTC time at which it was made.' },
      clock_synced: Type.Boolean({ description: 'False when the clock was not synchronized at that time.' }),
      occasion: Occasion,
      size_bytes: Type.Integer({
        minimum: 0,
        'x-unit': 'bytes',
        description: 'Size of the archive in bytes.',
      }),
      num_media_files: Type.Integer({ minimum: 0, description: 'Number of picture files in it.' }),
      server_name: Type.String({ description: 'Title of the site.' }),
      server_version: Type.String({ description: 'Version of the program that made it.' }),
      program_version: Nullable(
        Type.String({
          description: 'Version of the program that wrote the database in it last; null if not known.',
        }),
      ),
      schema_version: Type.Integer({ minimum: 0, description: 'Version of the database in it.' }),
      db_engine: Type.Literal('sqlite', { description: 'Kind of database: always `sqlite`.' }),
      backup_format: Type.Integer({ minimum: 1, description: 'Version of the archive format.' }),
      url: Type.String({ description: 'Download path, for superusers.' }),
    },
    { description: 'A stored backup.' },
  ),
);

const StateJson = Closed(
  {
    running: Nullable(
      Closed(
        { occasion: Occasion, started_time: { ...IsoSeconds, description: 'UTC time of its start.' } },
        { description: 'The backup that is being made; null when none is.' },
      ),
    ),
    problems: Type.Array(ProblemJson, {
      description: 'What went wrong in the last backup, and what to do; empty when it succeeded.',
    }),
  },
  { description: 'The backup that is being made, and the problems of the last one.' },
);

const params = Open({ name: Name });

/**
 * Backups of settings file, database and pictures, for staff. They contain all personal data and the stored secrets, so
 * only superusers who have entered their password again download them.
 */
export const backupRoutes = ({ admin }: Pick<RouteServices, 'admin'>): readonly Route[] => [
  defineRoute({
    id: 'listBackups',
    method: 'get',
    path: '/admin/backups',
    summary: 'List backups, newest first, and the state of the running one',
    description:
      'With size, occasion and versions. `state` tells which backup is being made and what went wrong with the last ' +
      'one. Members of staff see names; only superusers by login download.',
    access: 'staff',
    accepts: {},
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        backups: Type.Array(BackupJson, { description: 'Newest first.' }),
        state: StateJson,
      }),
    },
    run: async () => {
      const { running, problems } = admin.backups.state();
      const backups = (await admin.backups.list()).map(backupJson);
      return {
        paging: wholeListPaging(backups),
        backups,
        state: {
          running:
            running === null
              ? null
              : { occasion: running.occasion, started_time: isoSeconds(running.sinceMs) },
          problems: problems.map(problemJson),
        },
      };
    },
  }),
  defineRoute({
    id: 'createBackup',
    method: 'post',
    path: '/admin/backups',
    summary: 'Start a backup. Counting goes on meanwhile',
    description:
      'Answers at once; watch the list. 409 while another one runs. Settings file, database and pictures are packed ' +
      'into one archive, and copied where the configuration says so. Written to the audit log.',
    access: 'staff',
    accepts: {},
    errors: { conflict: ['backup_running'], unavailable: [] },
    replies: { status: 202, body: Closed({ started: Type.Literal(true, { description: 'Always true.' }) }) },
    run(context) {
      admin.backups.start();
      recordAudit(context, 'backup.begun', 'manual');
      return { started: true as const };
    },
  }),
  defineRawRoute({
    id: 'downloadBackup',
    method: 'get',
    path: '/admin/backups/{name}/download',
    summary:
      'Download a backup: settings file, database and pictures, with personal data, password hashes and the mail password',
    description:
      'Needs a login whose password was confirmed within five minutes (`POST /api/auth/confirm-password`); keys are refused ' +
      'with 403. The archive is streamed as gzip with its length. 404 when there is no backup of this name.',
    access: 'confirmed-superuser',
    transport: 'https',
    accepts: { params },
    errors: { not_allowed: ['https_required'] },
    mediaType: 'application/gzip',
    async send(_context, { request, response }, { params: { name } }) {
      const found = await admin.backups.open(name);
      if (found === null) throw backupNotFound(name);
      response.writeHead(200, {
        'Content-Type': 'application/gzip',
        'Content-Length': found.sizeBytes,
        'Content-Disposition': `attachment; filename="${name}"`,
      });
      if (request.method === 'HEAD') {
        found.stream.destroy();
        response.end();
        return;
      }
      // A client that disconnects early must not raise an error here.
      await pipeline(found.stream, response).catch(() => response.destroy());
    },
  }),
  defineRoute({
    id: 'deleteBackup',
    method: 'delete',
    path: '/admin/backups/{name}',
    summary: 'Delete a backup',
    description: 'Copies elsewhere stay. Cannot be undone. Written to the audit log.',
    access: 'staff',
    writesCredential: { proof: 'confirmed-login' },
    accepts: { params },
    replies: { status: 200, body: Closed({}) },
    async run(context, { params: { name } }) {
      if (!(await admin.backups.remove(name))) throw backupNotFound(name);
      recordAudit(context, 'backup.deleted', name);
      return {};
    },
  }),
];

function recordAudit(context: RouteContext, action: string, id: string): void {
  context.engine.audit.record(
    { actor: requestActor(context), action, subject: { kind: 'backup', id } },
    context.now,
  );
}

const backupNotFound = (name: string): AppError =>
  new AppError('not_found', `There is no backup ${name.replaceAll(/[^\w.-]/g, '?')}.`, {
    reason: { name: 'not_found' },
  });

export const backupJson = (backup: StoredBackup): Static<typeof BackupJson> => ({
  backup_name: backup.name,
  created_time: isoSeconds(backup.createdMs),
  clock_synced: backup.clockSynced,
  occasion: backup.occasion,
  size_bytes: backup.sizeBytes,
  num_media_files: backup.pictureFiles,
  server_name: backup.serverName,
  server_version: backup.serverVersion,
  program_version: backup.programVersion,
  schema_version: backup.schemaVersion,
  db_engine: 'sqlite',
  backup_format: backup.format,
  url: `/api/admin/backups/${backup.name}/download`,
});
