// Preloaded into the daemon: blocks its main thread for 200 ms in every 250, like a slow write to an SD card.
// Worker threads are not blocked, as on a real Pi. The number of stalls is in /run/stalls.
const { writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  const memory = new Int32Array(new SharedArrayBuffer(4));
  let stalls = 0;
  setInterval(() => {
    Atomics.wait(memory, 0, 0, 200);
    stalls += 1;
    writeFileSync('/run/stalls', String(stalls));
  }, 250).unref();
}
