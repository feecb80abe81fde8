// Preloaded into the daemon: its main thread stands still for 200 ms in every 250, as on an SD card that takes its
// time over a write. Workers are left alone: they have their own thread on a real Pi, too. How often it stood still is
// in /run/stalls.
const { writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  const bell = new Int32Array(new SharedArrayBuffer(4));
  let stalls = 0;
  setInterval(() => {
    Atomics.wait(bell, 0, 0, 200);
    stalls += 1;
    writeFileSync('/run/stalls', String(stalls));
  }, 250).unref();
}
