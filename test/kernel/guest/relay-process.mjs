// In the guest: node relay-process.mjs live|stuck|exit. Opens two relays through the built driver, as the
// daemon does for a grant, prints "open", and then continues its heartbeats, blocks its main loop, or exits
// without closing the driver.
import { openCdev } from '/tapster/dist/devices/gpio/drivers/cdev/cdev.js';

const [behaviour] = process.argv.slice(2);
const { toggles } = await openCdev({
  plan: {
    meters: [{ name: 'pi.flow3', pin: 3, bias: 'pull-up', edge: 'falling' }],
    relays: [
      { name: 'pi.relay0', pin: 10, activeLow: false },
      { name: 'pi.relay1', pin: 11, activeLow: true },
    ],
    faults: [],
  },
  chip: 'taps',
  roots: { dev: '/dev', sys: '/sys', proc: '/proc' },
  report: (problem) => console.error(problem.message),
});
toggles.heartbeat();
for (const name of ['pi.relay0', 'pi.relay1']) toggles.open(name, { maxMs: 60_000 });
setTimeout(() => {
  process.stdout.write('open\n');
  if (behaviour === 'exit') process.exit(0);
  if (behaviour === 'stuck') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}, 500);
setInterval(() => toggles.heartbeat(), 250);
