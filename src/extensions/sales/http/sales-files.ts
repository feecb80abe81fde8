import Type from 'typebox';
import { PagingJson, wholeListPaging } from '../../../http/current/shared/paging.ts';
import { ProblemJson, problemOrNull } from '../../../http/routes/problem-json.ts';
import { defineRoute } from '../../../http/routes/route.ts';
import { Closed, Id, IsoSeconds, isoSeconds, Nullable } from '../../../http/routes/schemas.ts';
import type { SalesRouteParts } from './route-parts.ts';

/** Lists the files of the watched folder. */
export const listSalesFiles = ({ servicesOf }: SalesRouteParts) =>
  defineRoute({
    id: 'listSalesFiles',
    method: 'get',
    path: '/sales-files',
    summary: 'List the files of the watched folder, those that were read last first',
    description: 'The folder is set by `sales.folder`. All on one page, at most 1000.',
    access: 'staff',
    accepts: {},
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        files: Type.Array(
          Closed(
            {
              path: Type.String({ description: 'Path below the folder.' }),
              size_bytes: Type.Integer({ minimum: 0, 'x-unit': 'bytes', description: 'Size in bytes.' }),
              read_time: { ...IsoSeconds, description: 'When it was read, UTC.' },
              import_id: Nullable({ ...Id, description: 'Id of its import; null when it was not imported.' }),
              problem: Nullable({
                ...ProblemJson,
                description: 'Why it was not imported; null when it was.',
              }),
            },
            { description: 'A file of the watched folder.' },
          ),
          { description: 'All files.' },
        ),
      }),
    },
    run({ engine }) {
      const files = servicesOf(engine)
        .sales.files()
        .map((file) => ({
          path: file.path,
          size_bytes: file.sizeBytes,
          read_time: isoSeconds(file.readMs),
          import_id: file.importId,
          problem: problemOrNull(file.problem),
        }));
      return { paging: wholeListPaging(files), files };
    },
  });
