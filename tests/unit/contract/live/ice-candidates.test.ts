import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countCandidates,
  filterCandidate,
  filterDescription,
  classifyAddress,
  type CandidatePolicy,
} from '../../../../contract/live/ice-candidates.ts'
import { isLocalDeployment } from '../../../../provider/platform/local-deployment.ts'

const GUEST_POLICY: CandidatePolicy = { lan: false, loopback: false, names: false }
const MEMBER_POLICY: CandidatePolicy = { ...GUEST_POLICY, lan: true }
const ALLOW_ALL_POLICY: CandidatePolicy = { lan: true, loopback: true, names: true }
const createCandidate = (address: string, more = '') => `candidate:1 1 udp 2130706431 ${address} 50000 typ host${more}`

describe('ICE candidate address', () => {
  test.each([
    [
      'public',
      [
        '8.8.8.8',
        '172.15.0.1',
        '172.32.0.1',
        '192.167.1.1',
        '100.63.0.1',
        '100.128.0.1',
        '223.255.255.255',
        '11.0.0.1',
      ],
    ],
    [
      'public',
      ['2001:4860:4860::8888', '2A00:1450::1', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '2002:808:808::1', '3fff::1'],
    ],
    [
      'lan',
      ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '100.64.0.1', '100.127.255.255'],
    ],
    ['lan', ['198.18.0.1', '198.19.255.255', 'fc00::1', 'FD12:3456::1', 'fdff:ffff::', 'fec0::1']],
    [
      'lan',
      [
        '::ffff:192.168.1.1',
        '::FFFF:C0A8:0101',
        '0:0:0:0:0:ffff:10.0.0.1',
        '64:ff9b::192.168.1.1',
        '64:ff9b:1::1',
        '2002:c0a8:101::1',
      ],
    ],
    [
      'loopback',
      [
        '127.0.0.1',
        '127.255.255.254',
        '::1',
        '0:0:0:0:0:0:0:1',
        '0000:0000::0001',
        '::ffff:127.0.0.1',
        '2002:7f00:1::',
      ],
    ],
    [
      'never',
      [
        '0.0.0.0',
        '0.1.2.3',
        '255.255.255.255',
        '224.0.0.1',
        '239.255.255.250',
        '240.0.0.1',
        '169.254.1.1',
        '192.0.0.8',
      ],
    ],
    [
      'never',
      [
        '::',
        '::ffff:0.0.0.0',
        '::ffff:169.254.1.1',
        '::ffff:224.0.0.1',
        'fe80::1',
        'FE80::1',
        'febf::1',
        'ff02::1',
        'FF05::2',
      ],
    ],
    [
      'never',
      [
        'fe80::1%eth0',
        'fe80::1%25en0',
        'fc00::1%eth0',
        '192.168.1.1%eth0',
        '::1%lo',
        '::192.168.1.1',
        '100::1',
        '2001::1',
        '4000::1',
      ],
    ],
    [
      'never',
      [
        '192.168.001.1',
        '010.0.0.1',
        '0x7f.0.0.1',
        '0x7f000001',
        '2130706433',
        '127.1',
        '1.2.3',
        '1.2.3.4.5',
        '1.2.3.256',
        '1.2.3.-4',
        '',
      ],
    ],
    [
      'never',
      [
        '::ffff:192.168.001.1',
        '1::2::3',
        '1:2:3:4:5:6:7',
        '1:2:3:4:5:6:7:8:9',
        '12345::1',
        ':1',
        '1:2:3:4:5:6:7:8::',
        '[::1]',
        '::g',
      ],
    ],
    ['never', ['localhost', 'router.lan', 'printer.example.com', 'a.b.local', '.local', '１０.0.0.1']],
    ['name', ['6c1c8b8c-3b5a-4c1e-9a4e-0e0d1a2b3c4d.local', 'ABC.LOCAL']],
  ])('is classified as %s in every spelling', (kind, addresses) => {
    expect(addresses.map((address) => [address, classifyAddress(address)])).toEqual(
      addresses.map((address) => [address, kind]),
    )
  })

  test('keeps its IPv4 class inside IPv6, in both spellings', () => {
    const octet = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(octet, octet, octet, octet, (a, b, c, d) => {
        const v4 = `${a}.${b}.${c}.${d}`
        const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16).toUpperCase()}`
        expect(classifyAddress(`::ffff:${v4}`)).toBe(classifyAddress(v4))
        expect(classifyAddress(`::FFFF:${hex}`)).toBe(classifyAddress(v4))
        expect(classifyAddress(`64:ff9b::${hex}`)).toBe(classifyAddress(v4))
      }),
    )
  })

  test('has one of the known classes for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(['public', 'lan', 'loopback', 'name', 'never']).toContain(classifyAddress(text))
      }),
    )
  })
})

describe('ICE candidate', () => {
  test.each([
    [GUEST_POLICY, ['8.8.8.8']],
    [MEMBER_POLICY, ['8.8.8.8', '192.168.1.5']],
    [{ ...GUEST_POLICY, loopback: true }, ['8.8.8.8', '127.0.0.1']],
    [ALLOW_ALL_POLICY, ['8.8.8.8', '192.168.1.5', '127.0.0.1', 'x.local']],
  ])('passes if the policy %j allows its address', (policy, passing) => {
    const all = ['8.8.8.8', '192.168.1.5', '127.0.0.1', 'x.local', '169.254.1.1', '224.0.0.251']
    expect(all.filter((address) => filterCandidate(createCandidate(address), policy) !== null)).toEqual(passing)
  })

  test('hides its related address if the policy does not allow it', () => {
    const related = createCandidate('8.8.8.8', ' raddr 192.168.1.5 rport 4000 generation 0')
    expect(filterCandidate(related, MEMBER_POLICY)).toBe(related)
    expect(filterCandidate(related, GUEST_POLICY)).toBe(
      createCandidate('8.8.8.8', ' raddr 0.0.0.0 rport 0 generation 0'),
    )
  })

  test('does not pass if malformed or longer than one line; the end of candidates passes', () => {
    const lines = `${createCandidate('8.8.8.8')}\r\na=${createCandidate('192.168.1.5')}`
    for (const text of [
      lines,
      'candidate:1',
      'hello',
      createCandidate('8.8.8.8').replace(' typ', '  typ'),
      ` ${createCandidate('8.8.8.8')}`,
    ])
      expect(filterCandidate(text, ALLOW_ALL_POLICY)).toBeNull()
    expect(filterCandidate('', GUEST_POLICY)).toBe('')
  })
})

describe('session description', () => {
  const sdp = [
    'v=0',
    'o=- 1 2 IN IP4 192.168.1.5',
    's=-',
    'm=video 50000 UDP/TLS/RTP/SAVPF 102',
    'c=IN IP4 192.168.1.5',
    'a=rtcp:50000 IN IP4 192.168.1.5',
    `a=${createCandidate('192.168.1.5')}`,
    `a=${createCandidate('8.8.8.8', ' raddr 192.168.1.5 rport 50000')}`,
    'a=end-of-candidates',
    '',
  ].join('\r\n')

  test('keeps everything for members, and nothing of the home for guests', () => {
    expect(filterDescription(sdp, MEMBER_POLICY)).toBe(sdp)
    const filtered = filterDescription(sdp, GUEST_POLICY)
    expect(filtered).not.toContain('192.168')
    expect(filtered.split('\r\n')).toEqual([
      'v=0',
      'o=- 1 2 IN IP4 0.0.0.0',
      's=-',
      'm=video 50000 UDP/TLS/RTP/SAVPF 102',
      'c=IN IP4 0.0.0.0',
      'a=rtcp:50000 IN IP4 0.0.0.0',
      `a=${createCandidate('8.8.8.8', ' raddr 0.0.0.0 rport 0')}`,
      'a=end-of-candidates',
      '',
    ])
  })

  test.each([
    ['a bare line feed', '\n'],
    ['a bare carriage return', '\r'],
  ])('hides no candidate behind %s', (_, end) => {
    const hidden = `v=0${end}a=${createCandidate('192.168.1.5')}${end} a = CANDIDATE:1 1 udp 1 10.0.0.1 1 typ host\r\n`
    expect(filterDescription(hidden, GUEST_POLICY)).toBe('v=0\r\n')
    expect(countCandidates(hidden)).toBe(2)
  })
})

test.each([
  ['http://localhost:8787', 'http://127.0.0.1:8788', true],
  ['http://[::1]:8787', 'http://provider.localhost:1', true],
  ['http://localhost:8787', 'http://192.168.1.2:8788', false],
  ['https://portal.example', 'http://127.0.0.1:8788', false],
  ['http://localhost.example', 'http://127.0.0.1', false],
])('%s and %s are on one machine: %s', (PORTAL_ORIGIN, PROVIDER_ORIGIN, expected) => {
  expect(isLocalDeployment({ PORTAL_ORIGIN, PROVIDER_ORIGIN })).toBe(expected)
})
