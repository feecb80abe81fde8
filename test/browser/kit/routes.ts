import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extensions } from '../../../src/extensions/all.ts';

const routesFile = join(import.meta.dirname, '../../../src/web/app/routes.tsx');

/** Last parts of the paths that are not a number. */
const samples: Readonly<Record<string, string>> = {
  '/drinkers/:id': '/drinkers/bert',
  '/users/:id': '/users/bert',
  '/sessions/:year/:month/:day/:id': '/sessions/2026/5/2/1',
};

/** Every path of the base's route table and of the extensions, with samples in place of its parameters. */
export function listPaths(): readonly string[] {
  const source = readFileSync(routesFile, 'utf8');
  const ofBase = [...source.matchAll(/'(\/[^']*)'/g)].map(([, path]) => path!);
  const ofExtensions = extensions.flatMap(({ pages = [] }) => pages);
  return [...ofBase, ...ofExtensions].map(
    (path) => samples[path] ?? path.replace(':id', '1').replace(':secret', 'secret'),
  );
}
