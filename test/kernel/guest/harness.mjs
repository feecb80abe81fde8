// A small test runner for the emulated machine: runs one test after the other, each with a time limit, and
// appends each outcome as a line of JSON to a file in the shared folder, so that the host has it even when
// the guest crashes.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

const planned = [];
const cleanups = [];

/**
 * Declares a test; `limitMs` is guest time. A text it returns, such as a measurement, is shown with its name.
 */
export function test(name, run, limitMs = 120_000) {
  planned.push({ name, run, limitMs });
}

/** Registers a clean-up for the end of the running test; last in, first out. */
export function onTestEnd(cleanUp) {
  cleanups.push(cleanUp);
}

/** Runs `act` only once, at the first call, for several tests; when it fails, it fails for all. */
export function once(act) {
  let result;
  return () => {
    result ??= act();
    return result;
  };
}

/**
 * Runs the declared tests (all, or those whose name contains `only`) and writes the outcomes to `file`. After
 * a reboot it continues with the first test that has no outcome.
 */
export async function runAll(file, only) {
  const chosen = planned.filter(({ name }) => only === undefined || name.includes(only));
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify({ plan: chosen.map(({ name }) => name) })}\n`);
  const [, ...outcomes] = readFileSync(file, 'utf8').trim().split('\n');
  const finished = new Set(outcomes.map((line) => JSON.parse(line).name));
  for (const { name, run, limitMs } of chosen.filter((one) => !finished.has(one.name))) {
    const startMs = performance.now();
    const { fault, note } = await outcome(run, limitMs);
    const ms = Math.round(performance.now() - startMs);
    const report = { name, passed: fault === undefined, ms, note, fault };
    appendFileSync(file, `${JSON.stringify(report)}\n`);
    console.log(`${report.passed ? 'ok' : 'FAILED'}: ${name} (${ms} ms)`);
  }
}

async function outcome(run, limitMs) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The test did not end within ${limitMs} ms.`)), limitMs);
  });
  try {
    return { note: await Promise.race([run(), limit]) };
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    clearTimeout(timer);
    for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
  }
}
