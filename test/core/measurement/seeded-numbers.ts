import { createRandom } from '../../http/fuzz/random.ts';

const steps = 2 ** 30;

/** Numbers from 0 up to, but not including, 1, the same for the same seed. */
export function seededNumbers(seed: number): () => number {
  const { below } = createRandom(seed);
  return () => below(steps) / steps;
}
