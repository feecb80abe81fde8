// A test runner small enough for an emulated machine: one test after the other, each with a time limit, each outcome a
// line of JSON in a file on the shared folder, so that the host knows what happened even when the guest dies.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

const planned = [];
const cleanups = [];

/** Declares a test; `limitMs` is guest time. A text it returns is shown with its name: what was measured. */
export function test(name, run, limitMs = 120_000) {
  planned.push({ name, run, limitMs });
}

/** Something to undo when the running test is over, whatever its outcome; last in, first out. */
export function onTestEnd(cleanUp) {
  cleanups.push(cleanUp);
}

/** What several tests look at is done once, by the first that asks; when it fails, it fails for all. */
export function once(act) {
  let result;
  return () => {
    result ??= act();
    return result;
  };
}

/**
 * Runs what was declared (all, or the tests whose name contains `only`) and reports to `file`. After a reboot it goes on
 * with the first test that has no outcome there.
 */
export async function runAll(file, only) {
  const chosen = planned.filter(({ name }) => only === undefined || name.includes(only));
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify({ plan: chosen.map(({ name }) => name) })}\n`);
  const [, ...outcomes] = readFileSync(file, 'utf8').trim().split('\n');
  const finished = new Set(outcomes.map((line) => JSON.parse(line).name));
  for (const { name, run, limitMs } of chosen.filter((one) => !finished.has(one.name))) {
    const begun = performance.now();
    const { fault, note } = await outcome(run, limitMs);
    const ms = Math.round(performance.now() - begun);
    const report = { name, passed: fault === undefined, ms, note, fault };
    appendFileSync(file, `${JSON.stringify(report)}\n`);
    console.log(`${report.passed ? 'ok' : 'FAILED'}: ${name} (${ms} ms)`);
  }
}

async function outcome(run, limitMs) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No end after ${limitMs} ms.`)), limitMs);
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
