import { parsePort } from '../../crds/ports';

describe('a published port', () => {
  it.each([
    ['3000:80', { hostAddress: '127.0.0.1', hostPort: 3000, containerPort: 80 }],
    ['0.0.0.0:3000:80', { hostAddress: '0.0.0.0', hostPort: 3000, containerPort: 80 }],
    ['[::1]:3000:80', { hostAddress: '::1', hostPort: 3000, containerPort: 80 }],
  ])('%s is read', (text, expected) => {
    expect(parsePort(text)).toEqual(expected);
  });

  it.each([
    '',
    '80',
    '80:',
    ':80',
    '0:80',
    '80:65536',
    '80:80/udp',
    '999.0.0.1:80:80',
    'host:80:80',
    '[zz]:1:1',
    ' 1:1',
  ])('%j is none', (text) => {
    expect(parsePort(text)).toBeUndefined();
  });
});
