import { posix } from 'node:path';
import { parseImports } from './import-rules.ts';

/** Subjects in their order. Inside one layer a subject imports only from the subjects before it. */
export const subjects = [
  'shared',
  'users',
  'kegs',
  'taps',
  'temperatures',
  'access',
  'drinks',
  'controllers',
  'reports',
  'notifications',
  'site',
] as const;

/** The folders whose subfolders are subjects. */
export const layersWithSubjects = ['store', 'engine', 'http/current'] as const;

/** Files that compose the subjects of their layer: they import every subject, and no subject imports them. */
const compositions = [
  'store/clock-times.ts',
  'store/person-data.ts',
  'store/store.ts',
  'engine/clock-followers.ts',
  'engine/create-engine.ts',
  'engine/demo-data.ts',
  'engine/engine.ts',
  'engine/lists.ts',
  'engine/undo-kinds.ts',
  'http/current/api.ts',
];

/** The imports of one file that run against the order of the subjects; `path` is relative to `src`. */
export function findSubjectViolations(path: string, source: string): string[] {
  const here = subjectAt(path);
  if (here === null) return [];
  return parseImports(source).flatMap(({ target }) => {
    if (!target.startsWith('.')) return [];
    const targetPath = posix.normalize(posix.join(posix.dirname(path), target));
    if (!targetPath.startsWith(`${here.layer}/`)) return [];
    const there = subjectAt(targetPath);
    const fault = `src/${path} imports src/${targetPath}`;
    if (there === null) {
      return compositions.includes(targetPath) ? [`${fault}: it composes the subjects`] : [];
    }
    return there.order > here.order ? [`${fault}: ${there.subject} comes after ${here.subject}`] : [];
  });
}

function subjectAt(path: string) {
  for (const layer of layersWithSubjects) {
    if (!path.startsWith(`${layer}/`)) continue;
    const subject = path
      .slice(layer.length + 1)
      .split('/')[0]!
      .replace(/\.ts$/, '');
    const order = subjects.indexOf(subject as (typeof subjects)[number]);
    return order === -1 ? null : { layer, subject, order };
  }
  return null;
}
