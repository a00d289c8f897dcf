import { describe, expect, test } from 'vitest'
import {
  choosePrimaryAddress,
  isHostName,
  isPrivateAddress,
  listComputerNames,
  listLanAddresses,
} from '../../../../scripts/lib/lan/lan-addresses.ts'

const toInterface = (...addresses: string[]) => addresses.map((address) => ({ address, internal: false }))

describe('addresses of the local network', () => {
  test('are private, without loopback, public, fe80 and container addresses', () => {
    expect(
      listLanAddresses({
        lo: [
          { address: '127.0.0.1', internal: true },
          { address: '::1', internal: true },
        ],
        wlan0: toInterface('192.168.1.10', 'fe80::1', 'fd00::a', '2001:db8::5'),
        eth0: toInterface('203.0.113.7', '10.1.2.3'),
        tailscale0: toInterface('100.101.102.103'),
        docker0: toInterface('172.17.0.1'),
        'br-0123456789ab': toInterface('172.18.0.1'),
      }),
    ).toEqual(['10.1.2.3', '100.101.102.103', '192.168.1.10', 'fd00::a'])
  })

  test.each([
    ['10.0.0.1', true],
    ['172.31.255.255', true],
    ['172.32.0.1', false],
    ['100.127.0.1', true],
    ['100.128.0.1', false],
    ['169.254.1.1', true],
    ['fdff::1', true],
    ['::1', true],
    ['2001:db8::1', false],
    ['8.8.8.8', false],
    ['192.168.1', false],
    ['hub.local', false],
  ])('%s is private: %s', (address, expected) => expect(isPrivateAddress(address)).toBe(expected))

  test('offer only IPv4 for the origin, and may be missing', async () => {
    expect(await choosePrimaryAddress(['fd00::a', '192.0.2.77'])).toBe('192.0.2.77')
    expect(await choosePrimaryAddress(['fd00::a'])).toBeUndefined()
    expect(await choosePrimaryAddress([])).toBeUndefined()
  })
})

describe('names', () => {
  test('of the computer are its hostname and the name under .local, never a single label', () => {
    expect(listComputerNames('app')).toEqual(['app.local'])
    expect(listComputerNames('NAS.home.example')).toEqual(['nas.home.example', 'nas.local'])
    expect(listComputerNames('MacBook.local')).toEqual(['macbook.local'])
    expect(listComputerNames('under_score')).toEqual([])
  })

  test.each([
    ['hub', true],
    ['hub.local', true],
    ['a-b.example.com', true],
    ['192.168.1.10', false],
    ['fd00::a', false],
    ['Hub', false],
    ['-hub', false],
    ['hub/x', false],
    ['', false],
  ])('%j is a host name: %s', (text, expected) => expect(isHostName(text)).toBe(expected))
})
