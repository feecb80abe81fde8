// Preloaded into the daemon: SIGUSR2 ends the pin thread as a lack of memory would, without a chance to release its lines.
const { syncBuiltinESMExports } = require('node:module');
const threads = require('node:worker_threads');

const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(file, options) {
    super(file, options);
    if (String(file).endsWith('cdev-worker.js')) process.once('SIGUSR2', () => this.terminate());
  }
};
syncBuiltinESMExports();
