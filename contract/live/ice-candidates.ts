/** Kinds of addresses that ICE candidates may contain in addition to public addresses. */
export interface CandidatePolicy {
  /** Addresses of private networks, such as RFC 1918, fc00::/7 and shared address space. */
  readonly lan: boolean
  readonly loopback: boolean
  /** mDNS names (`….local`), with which browsers hide their addresses. */
  readonly names: boolean
}

/**
 * `never`: text that is not an address, or an address that no policy allows, such as a link-local or multicast address.
 */
export type AddressKind = 'public' | 'lan' | 'loopback' | 'name' | 'never'

/** IPv4 networks as address, prefix length and kind; the first match counts. */
const NETWORK_KINDS: readonly (readonly [string, number, AddressKind])[] = [
  ['0.0.0.0', 8, 'never'],
  ['10.0.0.0', 8, 'lan'],
  ['100.64.0.0', 10, 'lan'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'never'],
  ['172.16.0.0', 12, 'lan'],
  ['192.0.0.0', 24, 'never'],
  ['192.88.99.0', 24, 'never'],
  ['192.168.0.0', 16, 'lan'],
  ['198.18.0.0', 15, 'lan'],
  ['224.0.0.0', 3, 'never'],
]

const IPV4_OCTET_PATTERN = /^(?:0|[1-9]\d{0,2})$/
const IPV6_GROUP_PATTERN = /^[0-9a-f]{1,4}$/i
const LOCAL_NAME_PATTERN = /^[\w-]{1,63}\.local$/i

/**
 * Classifies the address of a candidate: IPv4, IPv6 in any spelling, or an mDNS name. Ambiguous IPv4 spellings are
 * `never`.
 */
export function classifyAddress(address: string): AddressKind {
  if (LOCAL_NAME_PATTERN.test(address)) return 'name'
  const v4 = parseIPv4(address)
  if (v4 !== null) return classifyIPv4(v4)
  const groups = parseIPv6(address)
  return groups === null ? 'never' : classifyIPv6(groups)
}

/**
 * Returns the 32 bits of an IPv4 address. Returns null if the text is not an address or is ambiguous: leading zeros,
 * hexadecimal, fewer than four parts.
 */
function parseIPv4(text: string): number | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => IPV4_OCTET_PATTERN.test(part) && Number(part) < 256)) return null
  return parts.reduce((bits, part) => bits * 256 + Number(part), 0)
}

function classifyIPv4(bits: number): AddressKind {
  const isInNetwork = ([network, length]: (typeof NETWORK_KINDS)[number]) => {
    const size = 2 ** (32 - length)
    return Math.floor(bits / size) === Math.floor((parseIPv4(network) ?? 0) / size)
  }
  return NETWORK_KINDS.find(isInNetwork)?.[2] ?? 'public'
}

/**
 * Returns the eight groups of an IPv6 address. Returns null if the text is not an address or has a scope (`%eth0`),
 * which only link-local addresses have.
 */
function parseIPv6(text: string): number[] | null {
  const [head = '', tail, ...more] = text.split('::')
  if (more.length > 0 || !text.includes(':')) return null
  const [before, after] = [parseIPv6Groups(head), tail === undefined ? [] : parseIPv6Groups(tail)]
  if (before === null || after === null) return null
  const gap = 8 - before.length - after.length
  if (tail === undefined ? gap !== 0 : gap < 1) return null
  return [...before, ...Array.from({ length: gap }, () => 0), ...after]
}

function parseIPv6Groups(text: string): number[] | null {
  if (text === '') return []
  const groups: number[] = []
  const parts = text.split(':')
  for (const [i, part] of parts.entries()) {
    const v4 = i === parts.length - 1 ? parseIPv4(part) : null
    if (v4 !== null) groups.push(Math.floor(v4 / 65_536), v4 % 65_536)
    else if (IPV6_GROUP_PATTERN.test(part)) groups.push(parseInt(part, 16))
    else return null
  }
  return groups
}

/**
 * Classifies an IPv6 address. An IPv4-mapped, NAT64 (64:ff9b::/96) or 6to4 address gets the kind of its embedded IPv4
 * address.
 */
function classifyIPv6(groups: readonly number[]): AddressKind {
  const [a = 0, b = 0, c = 0] = groups
  const v4At = (at: number) => classifyIPv4((groups[at] ?? 0) * 65_536 + (groups[at + 1] ?? 0))
  const zeros = groups.findIndex((group) => group !== 0)
  if (zeros === 7 && groups[7] === 1) return 'loopback'
  if (zeros === 5 && groups[5] === 0xffff) return v4At(6)
  if (a === 0x64 && b === 0xff9b) return c === 1 ? 'lan' : v4At(6)
  if (a === 0x2002) return v4At(1)
  if ((a & 0xfe00) === 0xfc00 || (a & 0xffc0) === 0xfec0) return 'lan'
  // Global unicast is 2000::/3; Teredo is excluded.
  return (a & 0xe000) === 0x2000 && !(a === 0x2001 && b === 0) ? 'public' : 'never'
}

const isAllowed = (address: string, policy: CandidatePolicy): boolean => {
  const kind = classifyAddress(address)
  if (kind === 'public') return true
  if (kind === 'name') return policy.names
  return kind !== 'never' && policy[kind]
}

const HIDDEN_ADDRESS = '0.0.0.0'
const RELATED_ADDRESS_PATTERN = / raddr (\S+) rport \d+/

/**
 * Returns the candidate; null if the policy forbids its address or the text is malformed. Replaces a forbidden related
 * address by 0.0.0.0. The empty end-of-candidates text stays empty. `text` is one line and may begin with `a=`.
 */
export function filterCandidate(text: string, policy: CandidatePolicy): string | null {
  if (text === '') return text
  const [first = '', , , , address = '', , typ] = text.split(' ')
  if (/[\r\n\t]/.test(text) || !/^(?:a=)?candidate:/.test(first) || typ !== 'typ') return null
  if (!isAllowed(address, policy)) return null
  return text.replace(RELATED_ADDRESS_PATTERN, (whole, related: string) =>
    isAllowed(related, policy) ? whole : ` raddr ${HIDDEN_ADDRESS} rport 0`,
  )
}

const CANDIDATE_LINE_PATTERN = /^\s*a\s*=\s*(?:remote-)?candidates?\s*:/i
const ADDRESS_LINE_PATTERN = /^(c=|o=.* |a=rtcp:.* )IN (?:IP4|IP6) ([^\s/]+).*$/i

export const countCandidates = (sdp: string): number =>
  splitLines(sdp).filter((line) => CANDIDATE_LINE_PATTERN.test(line)).length

const splitLines = (sdp: string) => sdp.split(/\r\n|\r|\n/)

/**
 * Returns the session description with only the permitted candidates. Also replaces forbidden addresses in `c=`, `o=`
 * and `a=rtcp:` lines, because connections do not need these addresses.
 */
export function filterDescription(sdp: string, policy: CandidatePolicy): string {
  return splitLines(sdp)
    .flatMap((line) => {
      if (CANDIDATE_LINE_PATTERN.test(line)) return filterCandidate(line, policy) ?? []
      return line.replace(ADDRESS_LINE_PATTERN, (whole, before: string, address: string) =>
        isAllowed(address, policy) ? whole : `${before}IN IP4 ${HIDDEN_ADDRESS}`,
      )
    })
    .join('\r\n')
}
