// Configurations for the tests: one tap per line, each with a meter of 5.4 ticks/mL (an SF800).
const ticksPerMl = 5.4;

/** Meters on the given lines of the chip "taps"; `idleMs` is short, to keep the tests short. */
export function createConfig({ lines, driver = 'cdev', idleMs = 1_000, toggles = [] }) {
  return {
    gpio: { driver, chip: 'taps' },
    meters: lines.map((pin) => ({ port: `flow${pin}`, pin, ticks_per_ml: ticksPerMl })),
    toggles,
    taps: lines.map((pin) => ({ name: `Tap ${pin}`, meter: `flow${pin}` })),
    pour: { min_ml: 0, idle_ms: idleMs },
  };
}
