import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Properties whose change moves other boxes, and `all`, which has them. */
const laidOut =
  /^(all|(min-|max-)?(width|height|inline-size|block-size)|inset.*|top|right|bottom|left|margin.*|padding.*|font-size|flex.*|grid.*|gap|line-height)$/;

const files = ['src/web', 'src/extensions'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .map((name) => join(folder, name)),
);

test('only what needs no layout is animated: a pouring tap changes some twenty times a second', () => {
  const faults = files.flatMap((file) => {
    const css = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
    const transitions = [...css.matchAll(/transition(?:-property)?:\s*([^;]+);/g)].flatMap(([, value]) =>
      value!.split(/,(?![^(]*\))/).map((one) => one.trim().split(/\s+/)[0]!),
    );
    const frames = [...css.matchAll(/@keyframes[^{]+\{((?:[^{}]*\{[^{}]*\})*)/g)].flatMap(([, body]) =>
      [...body!.matchAll(/([\w-]+)\s*:/g)].map(([, name]) => name!),
    );
    return [...transitions, ...frames].filter((name) => laidOut.test(name)).map((name) => `${file}: ${name}`);
  });
  expect(files.length).toBeGreaterThan(20);
  expect(faults).toEqual([]);
});
