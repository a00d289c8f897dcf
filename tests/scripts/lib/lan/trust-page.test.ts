import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get as httpGet, request, type IncomingMessage } from 'node:http'
import { get as httpsGet } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  formatFingerprint,
  issueServerCertificate,
  openAuthority,
  type CertificateAuthority,
} from '../../../../scripts/lib/lan/certificate-authority.ts'
import type { LanListener } from '../../../../scripts/lib/lan/lan-listeners.ts'
import { createTrustContent, startTrustServer } from '../../../../scripts/lib/lan/trust-server.ts'
import { findFreePort } from '../../../../scripts/lib/ports.ts'

const USER_AGENTS = {
  iPhone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1',
  Android: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0 Mobile Safari/537.36',
  Mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15',
  Windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36',
  Firefox: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  Linux: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36',
}

let folder: string
let authority: CertificateAuthority
let server: LanListener
let port: number

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'porchlight-trust-'))
  authority = await openAuthority(folder, ['hub.local'])
  const tls = await issueServerCertificate(authority, { names: ['hub.local'], addresses: ['127.0.0.1'] })
  port = await findFreePort()
  const content = createTrustContent(authority.pem, 'https://hub.local:8787', port)
  server = await startTrustServer({ host: '127.0.0.1', port, tls, certificate: authority.pem, content })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const receive = (
  send: (done: (answer: IncomingMessage) => void) => { on(name: 'error', done: (e: Error) => void): unknown },
) => new Promise<IncomingMessage>((resolve, reject) => send(resolve).on('error', reject))
const fetchPlain = (path: string, userAgent = '') =>
  receive((done) => httpGet({ host: '127.0.0.1', port, path, headers: { 'user-agent': userAgent } }, done))
const fetchSecure = (path: string) =>
  receive((done) => httpsGet({ host: '127.0.0.1', port, path, ca: authority.pem }, done))

describe('the certificate page', () => {
  test('works without script, login and trust, and shows the fingerprint', async () => {
    const answer = await fetchPlain('/', USER_AGENTS.iPhone)
    const html = await text(answer)
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([200, undefined])
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(html).not.toMatch(/<script|\son\w+=/)
    for (const group of formatFingerprint(authority.certificate)) expect(html).toContain(`<span>${group}</span>`)
    expect(html).toContain('Compare this code first')
    expect(html).toContain('<b>hub.local</b>')
    expect(html).toContain('href="https://hub.local:8787/"')
  })

  test.each([
    ['iPhone', 'this phone', 'iPhone and iPad', 'Certificate Trust Settings'],
    ['Android', 'this phone', 'Android', 'Install anyway'],
    ['Mac', 'this computer', 'Mac', 'Always Trust'],
    ['Windows', 'this computer', 'Windows', 'Trusted Root Certification Authorities'],
    ['Firefox', 'this computer', 'Firefox on a computer', 'Trust this CA to identify websites'],
    ['Linux', 'this computer', 'Linux', 'update-ca-certificates'],
  ] as const)('opens the steps for %s and folds the others', async (system, device, name, step) => {
    const html = await text(await fetchPlain('/', USER_AGENTS[system]))
    const open = html.slice(0, html.indexOf('<details'))
    expect(html).toContain(`Trust your hub on ${device}`)
    expect(open).toContain(`<h2>${name}</h2>`)
    expect(open).toContain(step)
    expect(html.match(/<details>/g)).toHaveLength(5)
    expect(html).not.toContain(`<b>${name}</b>`)
  })

  test('offers the download to an unknown system', async () => {
    const html = await text(await fetchPlain('/', 'a television'))
    expect(html.slice(0, html.indexOf('<details'))).toContain('Download certificate')
    expect(html.match(/<details>/g)).toHaveLength(6)
  })

  test('offers exactly the certificate of the authority, never a key', async () => {
    const answer = await fetchPlain('/porchlight-hub.crt')
    expect([answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
      'application/x-x509-ca-cert',
      undefined,
    ])
    expect(await text(answer)).toBe(authority.pem)
  })

  test('marks the next step only for a device that trusts the certificate', async () => {
    expect((await fetchPlain('/trusted.css')).statusCode).toBe(404)
    const answer = await fetchSecure('/trusted.css')
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
    await expect(receive((done) => httpsGet({ host: '127.0.0.1', port, path: '/trusted.css' }, done))).rejects.toThrow(
      /unable to verify|self-signed/,
    )
  })

  test('is served to others while one address keeps 100 connections open', async () => {
    const sockets = Array.from({ length: 100 }, () => connect({ host: '127.0.0.1', port, localAddress: '127.0.0.2' }))
    await Promise.all(
      sockets.map((socket) =>
        once(
          socket.on('error', () => {}),
          'connect',
        ),
      ),
    )
    await vi.waitFor(() => expect(sockets.filter(({ closed }) => closed).length).toBe(80))
    expect((await fetchPlain('/')).statusCode).toBe(200)
    for (const socket of sockets) socket.destroy()
  })

  test('has no other page and accepts no other method', async () => {
    expect((await fetchPlain('/../tls/ca.key')).statusCode).toBe(404)
    const answer = await receive((done) => request({ host: '127.0.0.1', port, path: '/', method: 'POST' }, done).end())
    expect(answer.statusCode).toBe(405)
  })
})
