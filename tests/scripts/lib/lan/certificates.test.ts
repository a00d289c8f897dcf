import { execFileSync, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../../contract/time-units.ts'
import {
  formatFingerprint,
  isPermittedName,
  issueServerCertificate,
  openAuthority,
  type ServerCertificate,
} from '../../../../scripts/lib/lan/certificate-authority.ts'
import {
  getServerCertificatePath,
  parseServerPem,
  readOwnCertificate,
  renewServerCertificate,
} from '../../../../scripts/lib/lan/server-certificate.ts'
import { StopError } from '../../../../scripts/lib/stop.ts'

const NAMES = ['hub', 'hub.local']
const ADDRESSES = ['192.168.1.10', 'fd00::a']

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'porchlight-tls-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const readServerPair = (): ServerCertificate =>
  parseServerPem(readFileSync(getServerCertificatePath(folder), 'utf8')) ?? { key: '', cert: '' }

/** Verifies a certificate with OpenSSL. Returns 'OK' or OpenSSL's reason. */
function verifyWithOpenssl(pair: ServerCertificate, ...options: string[]): string {
  writeFileSync(join(folder, 'leaf.pem'), pair.cert)
  const args = ['verify', '-x509_strict', '-CAfile', join(folder, 'tls/ca.pem'), '-purpose', 'sslserver', ...options]
  const { status, stdout, stderr } = spawnSync('openssl', [...args, join(folder, 'leaf.pem')], { encoding: 'utf8' })
  return status === 0 && stdout.includes(': OK') ? 'OK' : (/error \d+ at .*lookup: (.+)/.exec(stderr)?.[1] ?? stderr)
}

/** Connects with Node's TLS client and returns 'OK' or the error's message. */
async function connectWithNode(pair: ServerCertificate, servername: string): Promise<string> {
  const server = createServer({ ...pair }, (socket) => socket.end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const ca = readFileSync(join(folder, 'tls/ca.pem'))
  const socket = connect({ host: '127.0.0.1', port, servername, ca })
  const result = await once(socket, 'secureConnect').then(
    () => 'OK',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  socket.destroy()
  server.close()
  return result
}

describe('the certificate authority', () => {
  test('is created once, and only its owner can read its files', async () => {
    const first = await openAuthority(folder, NAMES)
    const second = await openAuthority(folder, ['other'])
    expect(second.pem).toBe(first.pem)
    for (const name of ['ca.pem', 'ca.key']) expect(statSync(join(folder, 'tls', name)).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'tls')).mode & 0o777).toBe(0o700)
    expect(formatFingerprint(first.certificate).join('')).toBe(first.certificate.fingerprint256.replaceAll(':', ''))
    expect(formatFingerprint(first.certificate)).toHaveLength(16)
  })

  test('issues certificates that OpenSSL and Node accept for its names and private addresses', async () => {
    const authority = await openAuthority(folder, NAMES)
    const pair = await issueServerCertificate(authority, { names: NAMES, addresses: ADDRESSES })
    for (const name of NAMES) {
      expect(verifyWithOpenssl(pair, '-verify_hostname', name)).toBe('OK')
      expect(await connectWithNode(pair, name)).toBe('OK')
    }
    for (const address of ADDRESSES) expect(verifyWithOpenssl(pair, '-verify_ip', address)).toBe('OK')
    expect(verifyWithOpenssl(pair, '-verify_hostname', 'other.local')).toMatch(/hostname mismatch/i)
    const { validFrom, validTo } = new X509Certificate(pair.cert)
    expect(Date.parse(validTo) - Date.parse(validFrom)).toBe(397 * DAY_MS)
  })

  test.each([
    ['a foreign name', { names: ['bank.example'], addresses: [] }],
    ['a public address', { names: ['hub'], addresses: ['203.0.113.5'] }],
    ['a public IPv6 address', { names: ['hub'], addresses: ['2001:db8::1'] }],
  ])('cannot sign for %s', async (_case, names) => {
    const pair = await issueServerCertificate(await openAuthority(folder, NAMES), names)
    expect(verifyWithOpenssl(pair)).toBe('permitted subtree violation')
    expect(await connectWithNode(pair, names.names[0] ?? '')).toBe('permitted subtree violation')
  })

  test('declares that it signs no other authority and only listed names', async () => {
    await openAuthority(folder, NAMES)
    const text = execFileSync('openssl', ['x509', '-noout', '-text', '-in', join(folder, 'tls/ca.pem')], {
      encoding: 'utf8',
    })
    expect(text).toMatch(/X509v3 Basic Constraints: critical\s+CA:TRUE, pathlen:0/)
    expect(text).toMatch(/X509v3 Name Constraints: critical/)
    expect(text).toMatch(/X509v3 Extended Key Usage: \s+TLS Web Server Authentication\n/)
    expect(text).toContain('IP:169.254.0.0/255.255.0.0')
  })

  test('is created again if the process ended after it had written only the key', async () => {
    const first = await openAuthority(folder, NAMES)
    rmSync(join(folder, 'tls/ca.pem'))
    const second = await openAuthority(folder, NAMES)
    expect(second.pem).not.toBe(first.pem)
    expect(await openAuthority(folder, NAMES)).toMatchObject({ pem: second.pem, key: second.key })
  })

  test('stops with advice if one of its files is missing or belongs to another authority', async () => {
    await openAuthority(folder, NAMES)
    const key = readFileSync(join(folder, 'tls/ca.key'), 'utf8')
    rmSync(join(folder, 'tls/ca.key'))
    await expect(openAuthority(folder, NAMES)).rejects.toThrow(/can't be used .* Restore the folder from a backup/)
    writeFileSync(join(folder, 'tls/ca.key'), key)
    const other = mkdtempSync(join(tmpdir(), 'porchlight-tls-'))
    writeFileSync(join(folder, 'tls/ca.key'), (await openAuthority(other, NAMES)).key)
    rmSync(other, { recursive: true })
    await expect(openAuthority(folder, NAMES)).rejects.toThrow(StopError)
  })
})

describe('the server certificate', () => {
  test('is not renewed again and again in the last days of the authority', async () => {
    const authority = await openAuthority(folder, NAMES)
    const now = Date.parse(authority.certificate.validTo) - 10 * DAY_MS
    const renew = () => renewServerCertificate(folder, authority, { names: NAMES, addresses: ADDRESSES }, now)
    expect([await renew(), await renew()]).toEqual([true, false])
  })

  test('is renewed if the addresses change, before it ends, and if its file is damaged', async () => {
    const authority = await openAuthority(folder, NAMES)
    const renew = (addresses: string[], now?: number) =>
      renewServerCertificate(folder, authority, { names: NAMES, addresses }, now)
    expect(await renew(ADDRESSES)).toBe(true)
    expect(await renew(ADDRESSES)).toBe(false)
    expect(await renew(['192.168.1.11'])).toBe(true)
    expect(verifyWithOpenssl(readServerPair(), '-verify_ip', '192.168.1.11')).toBe('OK')
    expect(verifyWithOpenssl(readServerPair(), '-verify_ip', '192.168.1.10')).toMatch(/IP address mismatch/i)
    expect(await renew(['192.168.1.11'], Date.now() + 360 * DAY_MS)).toBe(false)
    expect(await renew(['192.168.1.11'], Date.now() + 368 * DAY_MS)).toBe(true)
    writeFileSync(getServerCertificatePath(folder), readServerPair().cert)
    expect(await renew(['192.168.1.11'])).toBe(true)
    expect(statSync(getServerCertificatePath(folder)).mode & 0o777).toBe(0o600)
  })

  test('omits names that the authority may not sign for', async () => {
    const authority = await openAuthority(folder, NAMES)
    expect([isPermittedName(authority, 'porch.hub.local'), isPermittedName(authority, 'nothub.local')]).toEqual([
      true,
      false,
    ])
    await renewServerCertificate(folder, authority, { names: [...NAMES, 'renamed.local'], addresses: ADDRESSES })
    expect(verifyWithOpenssl(readServerPair(), '-verify_hostname', 'hub.local')).toBe('OK')
  })
})

describe('the owner’s own certificate', () => {
  const writeFiles = async (names: string[], now?: number) => {
    const authority = await openAuthority(folder, names, now)
    const pair = await issueServerCertificate(authority, { names, addresses: [] }, now)
    const files = { cert: join(folder, 'own.pem'), key: join(folder, 'own.key') }
    writeFileSync(files.cert, pair.cert + authority.pem)
    writeFileSync(files.key, pair.key)
    return files
  }

  test('is accepted with its chain', async () => {
    const files = await writeFiles(['cam.example.com'])
    const { cert, key } = readOwnCertificate(files, 'cam.example.com')
    expect([cert, key]).toEqual([readFileSync(files.cert, 'utf8'), readFileSync(files.key, 'utf8')])
  })

  test('is refused with a sentence if it is missing, expired, for another host or for another key', async () => {
    const files = await writeFiles(['cam.example.com'])
    const refuse = (host: string, other: Partial<typeof files> = {}, now?: number) =>
      expect(() => readOwnCertificate({ ...files, ...other }, host, now))
    refuse('cam.example.com', { cert: join(folder, 'none.pem') }).toThrow(/none\.pem can't be read .*Correct --cert/)
    refuse('cam.example.com', { key: files.cert }).toThrow(/own\.pem contains no private key/)
    refuse('cam.example.com', { cert: files.key }).toThrow(/own\.key contains no certificate/)
    refuse('192.168.1.10').toThrow(
      /isn't valid for 192\.168\.1\.10, only for DNS:cam\.example\.com\. Start with --host/,
    )
    refuse('cam.example.com', {}, Date.now() + 400 * DAY_MS).toThrow(/expired on \d{4}-\d\d-\d\d\. Renew it/)
    refuse('cam.example.com', {}, Date.now() - DAY_MS).toThrow(/isn't valid before/)
    const otherKey = await issueServerCertificate(await openAuthority(folder, []), { names: [], addresses: [] })
    writeFileSync(join(folder, 'other.key'), otherKey.key)
    refuse('cam.example.com', { key: join(folder, 'other.key') }).toThrow(/doesn't belong to the certificate/)
  })
})
