import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../../scripts/lib/ports.ts'
import { createCertificate } from '../support/certificate.ts'
import { completeCardReturn, readReturnProof, saveCardOnPage } from '../support/card-form.ts'
import { signInThroughEdge } from '../support/edge.ts'
import {
  launchPorchlight,
  START_WAIT_OPTIONS,
  waitForOutput,
  stopPorchlight,
  type Porchlight,
} from '../support/porchlight.ts'
import { openTlsProxy, type TlsProxy } from '../support/tls-proxy.ts'
import { Visitor } from '../support/visitor.ts'

/** Starts all of Porchlight behind three TLS proxies, one for each origin, as docs/operations.md describes. */
describe('npm start behind a TLS proxy', () => {
  const certificate = createCertificate()
  let dataFolder: string
  let origins: { portal: string; provider: string; payment: string }
  let proxies: TlsProxy[]
  let porchlight: Porchlight

  beforeAll(async () => {
    dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-tls-'))
    const caFile = join(dataFolder, 'ca.pem')
    writeFileSync(caFile, certificate.cert)
    const port = await findFreePort()
    const proxyPorts = [await findFreePort(), await findFreePort(), await findFreePort()] as const
    proxies = await Promise.all(proxyPorts.map((from, nth) => openTlsProxy(from, port + nth, certificate)))
    origins = {
      portal: `https://localhost:${proxyPorts[0]}`,
      provider: `https://127.0.0.1:${proxyPorts[1]}`,
      payment: `https://127.0.0.1:${proxyPorts[2]}`,
    }
    porchlight = launchPorchlight(dataFolder, port, ['--virtual', '0'], {
      PORTAL_ORIGIN: origins.portal,
      PROVIDER_ORIGIN: origins.provider,
      PAYMENT_ORIGIN: origins.payment,
      NODE_EXTRA_CA_CERTS: caFile,
    })
    await waitForOutput(porchlight, 'Porchlight is ready')
  })
  afterAll(async () => {
    await stopPorchlight(porchlight)
    for (const proxy of proxies) await proxy.close()
    rmSync(dataFolder, { recursive: true })
  })

  const createVisitor = () => new Visitor(origins.portal, certificate.cert)

  test('signs in and calls the provider by their public names', async () => {
    const visitor = createVisitor()
    const landed = await signInThroughEdge(visitor, '/events')
    expect(landed.headers.get('location')).toBe(
      `/user/callback?redirect_uri=${encodeURIComponent(`${origins.portal}/events`)}`,
    )
    expect(await (await visitor.get('/api/auth/me')).json()).toMatchObject({ user_account: 'owner@example.com' })
    expect(visitor.listCookieNames().sort()).toEqual(['XSRF-TOKEN', '__Host-Http-sid', 'signed_in'])
    const homes = await visitor.get('/api/p/new-device/app/v4/home')
    // No HSTS: the origins name ports, so the header would affect other programs on the same host.
    expect([homes.status, homes.headers.get('strict-transport-security')]).toEqual([200, null])
    const clip = await visitor.get('/m/clip/evt_1')
    expect(new URL(clip.headers.get('location') ?? '').origin).toBe(origins.provider)
  })

  test('serves documents whose policy names the public origins', async () => {
    const { headers } = await createVisitor().get('/user/login')
    expect(headers.get('content-security-policy')).toContain(
      `connect-src 'self' ${origins.provider} ${origins.provider.replace('https', 'wss')};`,
    )
  })

  test('lets the bridge connect through the proxy by WebSocket', async () => {
    const log = () => readFileSync(join(dataFolder, 'logs/bridge.log'), 'utf8')
    await expect.poll(log, START_WAIT_OPTIONS).toMatch(/connected/i)
  })

  test('redirects to the public card page and back, with a cookie that no other host can set', async () => {
    const visitor = createVisitor()
    await signInThroughEdge(visitor, '/account/payment')
    const { url } = (await (await visitor.post('/api/payment/start', { return_to: '/account/payment' })).json()) as {
      url: string
    }
    expect(new URL(url).origin).toBe(origins.payment)
    const back = await saveCardOnPage(visitor, url)
    expect(back.headers.get('location')).toBe(
      `${origins.portal}/account/payment?payment=200#proof=${readReturnProof(back)}`,
    )
    expect(back.headers.getSetCookie().join()).toMatch(/^__Host-card=; .*Secure/)
    expect((await completeCardReturn(visitor, back)).status).toBe(200)
    expect((await visitor.navigate(`${origins.payment}/home-monitoring`)).status).toBe(404)
    expect((await visitor.navigate(`${origins.provider}/card`)).status).toBe(404)
  })

  test('signs in through a proxy that also forwards the Host header of the browser', async () => {
    for (const proxy of proxies) proxy.forwardHostHeader()
    const visitor = createVisitor()
    await signInThroughEdge(visitor, '/live')
    expect(await (await visitor.get('/api/auth/me')).json()).toMatchObject({ user_account: 'owner@example.com' })
    expect((await visitor.get('/api/p/new-device/app/v4/home')).status).toBe(200)
  })
})
