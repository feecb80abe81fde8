import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Starts these files before the others, so that no core waits at the end for one that began late. Vitest alone knows the durations of
 * the run before only; in a fresh checkout it starts the largest files first.
 *
 * Isolated files come before all that share a worker: Vitest ends a shared worker with its loaded modules whenever the next file in
 * its queue is of another project.
 */
export const longestFirst = (files: readonly string[]) =>
  class extends BaseSequencer {
    override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      const rank = ({ moduleId, project }: TestSpecification) => {
        const at = files.findIndex((file) => moduleId.endsWith(file));
        return (at < 0 ? files.length : at) + (project.config.isolate ? 0 : files.length + 1);
      };
      return (await super.sort(specifications)).toSorted((a, b) => rank(a) - rank(b));
    }
  };
