/** An open serial port. */
export interface SerialLink {
  /** Queues bytes for sending. Bytes are dropped when the port is closed, which `onClosed` reports. */
  write(bytes: Uint8Array): void;
  /** Sends the queued bytes, waiting at most 300 ms, and closes the port. Never rejects. */
  close(): Promise<void>;
}

export interface LinkListeners {
  onBytes(bytes: Uint8Array): void;
  /** Called once when the port closes without `close`: it was unplugged or failed. */
  onClosed(fault: Error | null): void;
}

/** Opens a port by its path. Rejects with the system's error. */
export type OpenLink = (path: string, listeners: LinkListeners) => Promise<SerialLink>;

/** Time limit for sending and closing: the bytes of a disconnected port can never be sent. */
const drainMs = 300;

/**
 * Opens ports at a speed, with 8 bits, no parity, one stop bit. The library is loaded on first use, since most bars have nothing on a
 * serial port.
 */
export const serialLinkAt =
  (baudRate: number): OpenLink =>
  async (path, listeners) => {
    const { SerialPort } = await import('serialport');
    const keepDtr = await loadKeepDtr();
    const port = new SerialPort({ path, baudRate, autoOpen: false, hupcl: false });
    let isOver = false;
    const reportClosed = (fault: Error | null) => {
      if (isOver) return;
      isOver = true;
      listeners.onClosed(fault);
    };
    port.on('data', (bytes: Buffer) => listeners.onBytes(bytes));
    // Unplugging emits `close` with an error, not `error`.
    port.on('close', (fault: Error | null) => reportClosed(fault));
    port.on('error', (fault: Error) => {
      if (!port.isOpen) reportClosed(fault);
    });
    await new Promise<void>((done, fail) => port.open((fault) => (fault ? fail(fault) : done())));
    const { fd = null } = port.port as { readonly fd?: number | null };
    if (fd !== null) keepDtr(fd);

    return {
      write(bytes) {
        if (!isOver && port.isOpen) port.write(bytes);
      },
      async close() {
        isOver = true;
        if (!port.isOpen) return;
        await within(drainMs, (done) => port.drain(() => done()));
        await within(drainMs, (done) => port.close(() => done()));
      },
    };
  };

const readSettings = 0x5401; // TCGETS, asm-generic/ioctls.h: the same on all processors of a Raspberry Pi
const writeSettings = 0x5402; // TCSETS
const settingsBytes = 36; // struct termios, asm-generic/termbits.h
const controlFlagsAt = 8; // its c_cflag
const hangUpOnClose = 0o2000; // HUPCL

/**
 * Loads the function that makes an open port keep DTR when it closes. The kernel lowers DTR by default, and an Uno or Mega
 * resets when the next open raises it. serialport's option `hupcl: false` only does not set the flag, which the kernel
 * sets for every new port. Where koffi has no build the flag stays.
 */
async function loadKeepDtr(): Promise<(fd: number) => void> {
  if (process.platform !== 'linux') return () => undefined;
  try {
    const { default: koffi } = await import('koffi');
    const ioctl = koffi
      .load(null)
      .func('int ioctl(int fd, unsigned long request, _Inout_ uint8_t *argument)') as (
      fd: number,
      request: number,
      argument: Buffer,
    ) => number;
    return (fd) => {
      const settings = Buffer.alloc(settingsBytes);
      if (ioctl(fd, readSettings, settings) !== 0) return;
      settings.writeUInt32LE(settings.readUInt32LE(controlFlagsAt) & ~hangUpOnClose, controlFlagsAt);
      ioctl(fd, writeSettings, settings);
    };
  } catch {
    return () => undefined;
  }
}

function within(ms: number, work: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    work(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
