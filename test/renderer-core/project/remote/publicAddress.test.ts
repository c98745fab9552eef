// Addresses that untrusted compositions may connect to.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicAddress } from '../../../../renderer-core/project/remote/publicAddress.ts';

test.each([
  '1.1.1.1',
  '93.184.216.34',
  '2606:4700::1111',
  '[2606:4700::1111]',
  '::ffff:1.1.1.1',
  '64:ff9b::101:101',
])('accepts %s as public', (address) => expect(isPublicAddress(address)).toBe(true));

test.each([
  ...['127.0.0.1', '127.8.8.8', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['169.254.169.254', '100.64.0.1', '100.100.100.200', '192.0.0.192', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
  ...['168.63.129.16', '::ffff:168.63.129.16'],
  ...['::1', '::', '[::1]', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'ff02::1', 'fec0::1'],
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1'],
  ...['2002:7f00:1::', '2001::1', '2001:db8::1', '4000::1', '5f00::1'],
  ...['', 'localhost', 'example.com', '127.1', '0x7f000001', '2130706433', '0177.0.0.1', '1.1.1.1 ', '1.1.1.1/8'],
])('rejects %s as not public', (address) => expect(isPublicAddress(address)).toBe(false));

test('treats an IPv4 address the same when it is written as IPv6', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address));
      expect(isPublicAddress(`64:ff9b::${address}`)).toBe(isPublicAddress(address));
    }),
  );
});

test('returns a result for any text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.ipV6(), fc.domain()), (text) => typeof isPublicAddress(text) === 'boolean'),
  );
});
