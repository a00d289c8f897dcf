import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startFront } from '../../../../scripts/front/front-server.ts'
import {
  issueServerCertificate,
  openAuthority,
  type CertificateAuthority,
} from '../../../../scripts/lib/lan/certificate-authority.ts'
import { LanListeners } from '../../../../scripts/lib/lan/lan-listeners.ts'
import { findFreePort } from '../../../../scripts/lib/ports.ts'

let folder: string
let authority: CertificateAuthority
let worker: Server
let listeners: LanListeners
let port: number
let addresses: string[]
const logLines: string[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'porchlight-lan-'))
  authority = await openAuthority(folder, ['hub.local'])
  await writeCertificate()
  worker = createServer((_, response) => response.end('from the Worker')).listen(0, '127.0.0.1')
  await once(worker, 'listening')
  port = await findFreePort()
  addresses = ['127.0.0.2']
  logLines.length = 0
  const target = new URL(`http://127.0.0.1:${(worker.address() as AddressInfo).port}`)
  const files = { cert: join(folder, 'server.pem'), key: join(folder, 'server.pem') }
  listeners = new LanListeners({
    files,
    listAddresses: () => addresses,
    open: (host, tls) => startFront({ host, port, tls, target, clientAddress: 'socket', compresses: false }),
    log: (line) => logLines.push(line),
  })
  await listeners.start()
})
afterEach(async () => {
  await listeners.close()
  worker.close()
  rmSync(folder, { recursive: true })
})

async function writeCertificate(): Promise<string> {
  const { cert, key } = await issueServerCertificate(authority, { names: ['hub.local'], addresses: [] })
  writeFileSync(join(folder, 'server.pem'), key + cert)
  return new X509Certificate(cert).fingerprint256
}

/** Connects with TLS and returns the fingerprint of the server's certificate, or the error code. */
async function fetchFingerprint(host: string): Promise<string> {
  const socket = connect({ host, port, servername: 'hub.local', ca: authority.pem })
  try {
    await once(socket, 'secureConnect')
    return socket.getPeerX509Certificate()?.fingerprint256 ?? ''
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  } finally {
    socket.destroy()
  }
}

test('a new address gets a server, and the server of a removed address closes', async () => {
  expect(await fetchFingerprint('127.0.0.3')).toBe('ECONNREFUSED')
  addresses = ['127.0.0.3']
  await listeners.check()
  expect(await fetchFingerprint('127.0.0.3')).toContain(':')
  expect(await fetchFingerprint('127.0.0.2')).toBe('ECONNREFUSED')
})

test('new connections get a renewed certificate without a restart', async () => {
  const before = await fetchFingerprint('127.0.0.2')
  const renewed = await writeCertificate()
  await listeners.check()
  expect(await fetchFingerprint('127.0.0.2')).toBe(renewed)
  expect(renewed).not.toBe(before)
})

test('an address on which no server can listen is logged once and retried, and the others work', async () => {
  const occupant = createServer().listen(port, '127.0.0.4')
  await once(occupant, 'listening')
  addresses = ['127.0.0.4', '127.0.0.5']
  await listeners.check()
  await listeners.check()
  expect(logLines).toEqual([expect.stringContaining('EADDRINUSE')])
  expect(await fetchFingerprint('127.0.0.5')).toContain(':')
  occupant.close()
  await once(occupant, 'close')
  await listeners.check()
  expect(await fetchFingerprint('127.0.0.4')).toContain(':')
})

test('a damaged certificate is logged once, and the servers keep the former one', async () => {
  const before = await fetchFingerprint('127.0.0.2')
  writeFileSync(join(folder, 'server.pem'), 'damaged')
  await listeners.check()
  await listeners.check()
  expect(logLines).toEqual([expect.stringContaining('contain no certificate with its key')])
  expect(await fetchFingerprint('127.0.0.2')).toBe(before)
})
