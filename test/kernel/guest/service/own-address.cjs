// own-address.cjs ADDRESS: gives this machine, which has no network, another IPv4 address, as DHCP does after the start.
const { createRequire } = require('node:module');
const koffi = createRequire('/tapster/package.json')('koffi');

const libc = koffi.load('libc.so.6');
const setAddress = 0x8916; // SIOCSIFADDR
const request = Buffer.alloc(40); // struct ifreq
request.write('lo:1', 'latin1');
request.writeUInt16LE(2, 16); // AF_INET
Buffer.from(process.argv[2].split('.').map(Number)).copy(request, 20);
const descriptor = libc.func('int socket(int, int, int)')(2, 2, 0);
if (libc.func('int ioctl(int, unsigned long, void*)')(descriptor, setAddress, request) !== 0)
  throw new Error(`The address cannot be set: errno ${koffi.errno()}.`);
