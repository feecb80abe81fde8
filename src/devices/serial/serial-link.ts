/** All Kegboards use this speed with 8 bits, no parity, one stop bit. */
const kegboardBaudRate = 115_200;

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

/** Opens ports at another speed. The library is loaded on first use, since most bars have no serial board. */
export const serialLinkAt =
  (baudRate: number): OpenLink =>
  async (path, listeners) => {
    const { SerialPort } = await import('serialport');
    const port = new SerialPort({ path, baudRate, autoOpen: false });
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

/** Opens a Kegboard's port. */
export const openSerialLink: OpenLink = serialLinkAt(kegboardBaudRate);

function within(ms: number, work: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    work(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
