// The modules of dist that run from a package. tsc's output beside the bundle is for workers, child processes and tools of a
// checkout; most of it is never loaded there.
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What the units and /usr/bin/tapster start. */
const programs = ['main.js', 'updater/main.js', 'devices/relays-off/relays-off.js'];

const imported = /\b(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+\.js)["']/g;
/** Workers and child processes are named by their path in dist. */
const started = /["'`][./]*\/dist\/([\w/-]+\.js)["'`]/g;

/** The modules that the programs load, with those of their workers and child processes; paths below `dist`. */
export function reachedModules(dist) {
  const reached = new Set();
  const open = [...programs];
  for (let module = open.pop(); module !== undefined; module = open.pop()) {
    if (reached.has(module)) continue;
    if (!existsSync(join(dist, module))) throw new Error(`dist/${module} is missing.`);
    reached.add(module);
    const text = readFileSync(join(dist, module), 'utf8');
    for (const [, path] of text.matchAll(imported)) open.push(join(dirname(module), path));
    for (const [, path] of text.matchAll(started)) open.push(path);
  }
  return reached;
}

/** Removes the other modules; the page is not touched. */
export function removeUnreached(dist) {
  clean(dist, '', reachedModules(dist));
}

function clean(dist, folder, reached) {
  for (const entry of readdirSync(join(dist, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (path === 'web') continue;
    if (entry.isDirectory()) {
      clean(dist, path, reached);
      if (readdirSync(join(dist, path)).length === 0) rmdirSync(join(dist, path));
    } else if (path.endsWith('.js') && !reached.has(path)) rmSync(join(dist, path));
  }
}
