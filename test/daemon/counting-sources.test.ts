import { expect, test } from 'vitest';
import { omitUndefined } from '../../src/core/omit-undefined.ts';
import { sourceReturnMs, startCountingSources } from '../../src/daemon/counting-sources.ts';
import { defineExtension, type Extension } from '../../src/extensions/extension.ts';
import type { CountingSource } from '../../src/services/counting/counting-source.ts';

type Started = Parameters<typeof startCountingSources>;

/** An extension with a source that notes what it is given. */
function withSource(name: string, returnMs: number, given: unknown[], healthPart?: string): Extension {
  return defineExtension({
    name,
    isOnByDefault: false,
    needsConfiguration: true,
    ...omitUndefined({ healthPart }),
    countingSource: {
      returnMs,
      load: async () => (parts) => {
        parts.reportProblem([]);
        given.push([name, parts.interruptedPours, parts.returnMs]);
        return { name } as unknown as CountingSource;
      },
    },
  });
}

test('the sources of the extensions that are on are started, and each interrupted pour is given to one of them', async () => {
  const given: unknown[] = [];
  const on = [withSource('left', 1_000, given), withSource('right', 3_000, given, 'right side')];
  const added: CountingSource[] = [];
  const reported: string[] = [];
  const interrupted = ['pour'];
  await startCountingSources(
    on,
    { reporters: (part: string) => () => void reported.push(part) } as unknown as Started[1],
    { requireEngine: () => expect.unreachable() },
    {
      addSource: (source: CountingSource) => added.push(source),
      takeInterruptedPours: () => interrupted.splice(0),
    } as unknown as Started[3],
  );
  expect(given).toEqual([
    ['left', ['pour'], 1_000],
    ['right', [], 3_000],
  ]);
  expect(added).toEqual([{ name: 'left' }, { name: 'right' }]);
  expect(reported).toEqual(['left', 'right side']);
});

test('pours stay open for the slowest source, and for none without sources', () => {
  expect(sourceReturnMs([withSource('left', 1_000, []), withSource('right', 3_000, [])])).toBe(3_000);
  expect(sourceReturnMs([defineExtension({ name: 'darts', isOnByDefault: true })])).toBeNull();
});
