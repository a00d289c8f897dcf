import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../../scripts/lib/ports.ts'
import { completeCardReturn, readReturnProof, saveCardOnPage } from '../../support/card-form.ts'
import { createCertificate } from '../../support/certificate.ts'
import { openEdge, signInThroughEdge, type EdgeDeployment } from '../../support/edge.ts'
import { openTlsProxy, type TlsProxy } from '../../support/tls-proxy.ts'
import { Visitor } from '../../support/visitor.ts'

const PORTAL = 'https://cam.example.test'
const CARD_PAGE_ORIGIN = 'https://checkout.pay.example.test'

/** Edge with hostnames without `local`: a `local` hostname would make the redirect rule accept local origins. */
let edge: EdgeDeployment
let proxies: TlsProxy[]
let ports: Record<string, number>
const certificate = createCertificate()

const readPort = (origin: string) => Number(new URL(origin).port)

beforeAll(async () => {
  let cardServerOrigin = ''
  edge = await openEdge(async (env) => {
    cardServerOrigin = env.PAYMENT_ORIGIN
    return { PORTAL_ORIGIN: PORTAL, PAYMENT_ORIGIN: CARD_PAGE_ORIGIN, PAYMENT_DOMAIN: 'pay.example.test' }
  })
  ports = { [PORTAL]: await findFreePort(), [CARD_PAGE_ORIGIN]: await findFreePort() }
  proxies = [
    await openTlsProxy(ports[PORTAL] ?? 0, readPort(edge.deployment.portal?.origin ?? ''), certificate),
    await openTlsProxy(ports[CARD_PAGE_ORIGIN] ?? 0, readPort(cardServerOrigin), certificate),
  ]
})
afterAll(async () => {
  await edge.close()
  for (const proxy of proxies) await proxy.close()
})

const openVisitor = () => new Visitor(PORTAL, certificate.cert, ports)
const fetchRedirect = async (visitor: Visitor, url: string) =>
  (await visitor.navigate(`/api/redirect?${new URLSearchParams({ url }).toString()}`)).headers.get('location')

test('OPEN-158 REDIRECT-08 payment redirects to the payment domain and back, over HTTPS only', async () => {
  const visitor = openVisitor()
  await signInThroughEdge(visitor, '/account/payment')
  const startResponse = await visitor.post('/api/payment/start', { return_to: '/account/payment' })
  const { url } = (await startResponse.json()) as { url: string }
  expect([startResponse.status, new URL(url).origin]).toEqual([200, CARD_PAGE_ORIGIN])
  const back = await saveCardOnPage(visitor, url)
  expect(back.headers.get('location')).toBe(`${PORTAL}/account/payment?payment=200#proof=${readReturnProof(back)}`)
  expect(visitor.listCookieNames(CARD_PAGE_ORIGIN)).toEqual([])
  const finishResponse = await completeCardReturn(visitor, back)
  expect([finishResponse.status, await finishResponse.json()]).toMatchObject([200, { method: { last_four: '4242' } }])
})

test('OPEN-158 the redirect rule allows the payment domain with its subdomains, and no origin of this machine', async () => {
  const visitor = openVisitor()
  expect(await fetchRedirect(visitor, `${CARD_PAGE_ORIGIN}/card`)).toBe(`${CARD_PAGE_ORIGIN}/card`)
  expect(await fetchRedirect(visitor, 'https://pay.example.test/')).toBe('https://pay.example.test/')
  for (const url of [
    edge.deployment.env.PROVIDER_ORIGIN,
    'http://checkout.pay.example.test/',
    'https://xpay.example.test/',
  ])
    expect(await fetchRedirect(visitor, url)).toBe('/account/services')
})
