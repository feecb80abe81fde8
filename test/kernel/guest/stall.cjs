// Preloaded into the daemon: its main thread stands still for 200 ms in every 250, as on an SD card that takes its
// time over a write. Workers are left alone: they have their own thread on a real Pi, too.
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  const bell = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.wait(bell, 0, 0, 200), 250).unref();
}
