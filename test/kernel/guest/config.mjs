// Configurations for the tests: one tap per line, each with a meter of 5.4 ticks/mL (an SF800).
const ticksPerMl = 5.4;

/** Meters on the given lines of the chip "taps"; `idleMs` is short, to keep the tests short. */
export function createConfig({ lines, driver = 'cdev', idleMs = 1_000, toggles = [] }) {
  return {
    gpio: { driver, chip: 'taps' },
    meters: lines.map((pin) => ({ port: `flow${pin}`, pin, ticks_per_ml: ticksPerMl })),
    toggles,
    taps: lines.map((pin) => ({ name: `Tap ${pin}`, meter: `flow${pin}` })),
    // At 10 Hz a line counts 2 mL/s and less, which is no flow of a tap.
    pour: { min_ml: 0, min_ml_per_s: 0, idle_ms: idleMs },
  };
}
