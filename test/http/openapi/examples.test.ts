import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { currentApi } from '../../../src/http/current/api.ts';
import { legacyApi } from '../../../src/http/legacy-v1/api.ts';
import { type Examples, examplesFile } from '../../../src/http/openapi/examples.ts';
import type { RouteServices } from '../../../src/http/services.ts';
import { allExtensions } from '../../kit/extensions.ts';
import { exampleRequests } from './example-requests/all.ts';
import { recordExamples } from './record-examples.ts';

const command = 'TAPSTER_WRITE_EXAMPLES=1 npx vitest run test/http/openapi/examples.test.ts';
const apis = [
  {
    api: currentApi({} as RouteServices, { extensions: allExtensions.http }),
    requests: exampleRequests.current,
  },
  { api: legacyApi, requests: exampleRequests.legacy },
];

test.each(apis)(
  'the examples of $api.title are what the program answers',
  { timeout: 300_000 },
  async ({ api, requests }) => {
    const recorded = await recordExamples(api, requests);
    const refused = Object.entries(recorded).flatMap(([id, examples]) =>
      Object.values(examples)
        .filter(({ reply }) => reply.status >= 300 && !isRefusedAlways(id))
        .map(({ reply }) => `${id}: ${reply.status} ${JSON.stringify(reply.body)}`),
    );
    expect(
      refused,
      'Give the request of the operation in test/http/openapi/example-requests, so that it succeeds.',
    ).toEqual([]);
    const file = examplesFile(api.name);
    if (process.env.TAPSTER_WRITE_EXAMPLES === '1')
      writeFileSync(file, `${JSON.stringify(recorded, null, 1)}\n`);
    const checkedIn = JSON.parse(readFileSync(file, 'utf8')) as Examples;
    const different = [...new Set([...Object.keys(recorded), ...Object.keys(checkedIn)])].filter(
      (id) => JSON.stringify(recorded[id]) !== JSON.stringify(checkedIn[id]),
    );
    expect(different, `These examples have changed. Renew them with: ${command}`).toEqual([]);
  },
);

/** True for an operation that only refuses. */
const isRefusedAlways = (id: string): boolean => id === 'setupUpgrade';
