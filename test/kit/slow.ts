/** `npm run test:slow` sets the variable. Without it the long tests are shortened, so that `npm cit` takes a few minutes. */
export const isSlowRun = process.env.TAPSTER_SLOW_TESTS === '1';

/** Number of runs of a property test: all in `npm run test:slow`, else a quarter. */
export const propertyRuns = (all: number): number => (isSlowRun ? all : Math.ceil(all / 4));

/** Duration of a random test in `npm run test:slow`, seconds; 0: a fixed small number of rounds. */
export const randomSeconds = isSlowRun ? 60 : 0;

/** First seed of a random test. `npm run test:slow` sets a new one each time. */
export const firstRandomSeed = (usual: number): number => Number(process.env.TAPSTER_TEST_SEED ?? usual);
