import { dirname, join } from 'node:path';

/** The ends of names that stand for a file of the repository also without their folder. */
const sourceName = /^[\w.-]+\.(?:tsx?|mts|mjs|cjs|sh)$/;

/** A path of names, wildcards (`*`) and placeholders (`<name>`), with a folder or several. */
const pathForm = /^[\w.@*<>{},-]+(?:\/[\w.@*<>{},-]+)*\/?$/;

/** The words in the back-ticks of a Markdown text, of its blocks of code and its commands too. */
export function wordsInBackTicks(text: string): string[] {
  const blocks: string[] = [];
  const rest = text.replace(/^( *)```.*\n([\s\S]*?)^ *```/gm, (_all, _indent, block: string) => {
    // A comment of a shell may name anything.
    blocks.push(block.replace(/ # .*$/gm, ''));
    return '';
  });
  const inline = [...rest.matchAll(/(`+)([^`]+)\1/g)].map(([, , code]) => code!);
  return [...blocks, ...inline].flatMap((code) => code.split(/\s+/));
}

/** What the repository has: all paths of files and folders, and where the paths of documents begin. */
export interface Repository {
  readonly paths: ReadonlySet<string>;
  /** Paths that the build makes. */
  readonly generated: ReadonlySet<string>;
}

/**
 * Returns the paths in the back-ticks of a document that lead nowhere. A path begins at the root, in `src`, in `test` or at the
 * document; what begins with no name that is there (an address, a path on a Pi) is none. A source file is also found by its name alone,
 * and a file without what follows its first dot.
 */
export function lostPaths(document: string, text: string, { paths, generated }: Repository): string[] {
  const bases = ['.', 'src', 'test', dirname(document)];
  const names = new Set([...paths].map((path) => path.slice(path.lastIndexOf('/') + 1)));
  const isLost = (word: string): boolean => {
    if (!pathForm.test(word) || /^\.\.?\//.test(word)) return false;
    const path = word.replace(/\/$/, '');
    if (!path.includes('/')) return sourceName.test(path) && !names.has(path) && !isPattern(path);
    const first = path.slice(0, path.indexOf('/'));
    const candidates = bases
      .filter((base) => !isPattern(first) && paths.has(join(base, first)))
      .map((base) => join(base, path));
    return candidates.length > 0 && !candidates.some((one) => exists(one, paths) || generated.has(one));
  };
  return [
    ...new Set(
      wordsInBackTicks(text)
        .map((word) => word.replace(/[.,:;]$/, ''))
        .filter(isLost),
    ),
  ];
}

const isPattern = (path: string): boolean => /[*<{]/.test(path);

function exists(path: string, paths: ReadonlySet<string>): boolean {
  if (paths.has(path)) return true;
  const source = path
    .replace(/[.@]/g, '\\$&')
    .replace(/\{([^{}]*)\}/g, (_all, names: string) => `(?:${names.replaceAll(',', '|')})`)
    .replace(/\*\*?|<[^<>]*>/g, '[^/]+');
  const pattern = new RegExp(`^${source}(?:\\.[^/]+)?$`);
  return [...paths].some((one) => pattern.test(one));
}
