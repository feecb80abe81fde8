import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Starts these files before the others, so that no core waits at the end for one that began late. Vitest alone knows the durations of
 * the run before only; in a fresh checkout it starts the largest files first.
 */
export const longestFirst = (files: readonly string[]) =>
  class extends BaseSequencer {
    override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      const rank = ({ moduleId }: TestSpecification) => {
        const at = files.findIndex((file) => moduleId.endsWith(file));
        return at < 0 ? files.length : at;
      };
      return (await super.sort(specifications)).toSorted((a, b) => rank(a) - rank(b));
    }
  };
