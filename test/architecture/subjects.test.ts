import { readdirSync, readFileSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseImports } from './import-rules.ts';
import { findSubjectViolations, layersWithSubjects, subjects } from './subject-rules.ts';

const src = fileURLToPath(new URL('../../src/', import.meta.url));

const paths = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((path) =>
  path.split(sep).join('/'),
);
const files = paths.filter((path) => /\.tsx?$/.test(path));

test('inside a layer every import between subjects points to an earlier subject', () => {
  expect(files.flatMap((path) => findSubjectViolations(path, readFileSync(src + path, 'utf8')))).toEqual([]);
});

test.each([...layersWithSubjects])('%s has a folder for each subject it deals with', (layer) => {
  const folders = new Set(
    files
      .filter((path) => path.startsWith(`${layer}/`))
      .map((path) => path.split('/')[layer.split('/').length]!),
  );
  for (const subject of ['users', 'kegs', 'taps', 'temperatures', 'access', 'drinks']) {
    expect(folders).toContain(subject);
  }
});

test('no subject folder has more than 18 files', () => {
  const counts = new Map<string, number>();
  for (const path of files) {
    const folder = posix.dirname(path);
    if (subjects.some((subject) => folder.split('/').includes(subject))) {
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  expect([...counts].filter(([, count]) => count > 18)).toEqual([]);
});

test.each(['engine/create-engine.ts', 'store/store.ts'])(
  '%s takes from a subject only its group',
  (composition) => {
    const group = /^([^/]+)\/[^/]+-(services|tables)\.ts$/;
    const layer = posix.dirname(composition);
    const inLayer = (path: string) => path.slice(layer.length + 1);
    const grouped = new Set(
      files
        .filter((path) => path.startsWith(`${layer}/`))
        .flatMap((path) => group.exec(inLayer(path))?.[1] ?? []),
    );
    expect(grouped.size).toBeGreaterThan(8);
    const others = parseImports(readFileSync(src + composition, 'utf8'))
      .map(({ target }) => inLayer(posix.join(layer, target)))
      .filter((path) => grouped.has(path.split('/')[0]!) && !group.test(path));
    expect(others).toEqual([]);
  },
);

test.each([
  ['engine/kegs/x.ts', "import { recordPour } from '../drinks/pours.ts';"],
  ['engine/shared/x.ts', "import type { User } from '../users/users.ts';"],
  ['engine/drinks/corrections/x.ts', "import { listAll } from '../../reports/exports.ts';"],
  ['engine/taps/x.ts', "import type { Engine } from '../engine.ts';"],
  ['store/users/x.ts', "import { drinksTable } from '../drinks/drinks-table.ts';"],
  ['http/current/taps/x.ts', "import { siteJson } from '../site/site-views.ts';"],
])('reports %s with: %s', (path, source) => {
  expect(findSubjectViolations(path, source)).toEqual([expect.stringContaining(`src/${path} imports`)]);
});

test.each([
  [
    'engine/drinks/x.ts',
    "import { findKeg } from '../kegs/kegs.ts';\nimport { change } from '../shared/parts.ts';",
  ],
  ['engine/drinks/x.ts', "import { undoRows } from './corrections/undo-rows.ts';"],
  ['engine/create-engine.ts', "import { createSite } from './site/site.ts';"],
  ['engine/kegs/x.ts', "import type { Store } from '../../store/store.ts';"],
  ['store/drinks/x.ts', "import { writeAll } from '../archive/read-archive.ts';"],
  ['services/valves/x.ts', "import { startCounting } from '../counting/counting.ts';"],
])('allows %s with: %s', (path, source) => {
  expect(findSubjectViolations(path, source)).toEqual([]);
});
