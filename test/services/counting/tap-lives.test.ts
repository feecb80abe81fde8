import { expect, test } from 'vitest';
import { createRandom } from '../../../src/devices/simulated/flow-model/random.ts';
import { lives, liveTap } from '../../bench/measurement/tap-lives.mjs';
import { firstRandomSeed, propertyRuns } from '../../kit/slow.ts';

/** `npm run bench -- measure` lives longer, and prints the shares. */
const pours = propertyRuns(800);

test.each(Object.entries(lives))(
  '%s: nobody is asked while there is beer, and every tick is kept',
  (name, life) => {
    const random = createRandom(firstRandomSeed(name.length));
    const lived = liveTap(life, { pours, random });
    expect(lived.falseQuestions).toBeLessThanOrEqual(lived.pours / 1_000);
    // Bounce that the edge filter rejects is no tick.
    expect(lived.recordedTicks).toBeLessThanOrEqual(lived.ticks);
    expect(lived.recordedTicks).toBeGreaterThan(0.999 * lived.ticks);
  },
);
