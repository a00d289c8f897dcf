import { afterAll, beforeAll, expect, test } from 'vitest'
import { anyFreePort } from '../../../scripts/lib/ports.ts'
import { finishReturn, readReturnProof, typeCard } from '../../support/card-form.ts'
import { makeCertificate } from '../../support/certificate.ts'
import { openEdge, signIn, type EdgeStage } from '../../support/edge.ts'
import { openTlsProxy, type TlsProxy } from '../../support/tls-proxy.ts'
import { Visitor } from '../../support/visitor.ts'

const PORTAL = 'https://cam.example.test'
const CARDS = 'https://checkout.pay.example.test'

/** Edge with hostnames without `local`: a `local` hostname would make the redirect rule accept local origins. */
let edge: EdgeStage
let proxies: TlsProxy[]
let ports: Record<string, number>
const certificate = makeCertificate()

const readPort = (origin: string) => Number(new URL(origin).port)

beforeAll(async () => {
  let cards = ''
  edge = await openEdge(async (env) => {
    cards = env.PAYMENT_ORIGIN
    return { PORTAL_ORIGIN: PORTAL, PAYMENT_ORIGIN: CARDS, PAYMENT_DOMAIN: 'pay.example.test' }
  })
  ports = { [PORTAL]: await anyFreePort(), [CARDS]: await anyFreePort() }
  proxies = [
    await openTlsProxy(ports[PORTAL] ?? 0, readPort(edge.stage.portal?.origin ?? ''), certificate),
    await openTlsProxy(ports[CARDS] ?? 0, readPort(cards), certificate),
  ]
})
afterAll(async () => {
  await edge.close()
  for (const proxy of proxies) await proxy.close()
})

const visit = () => new Visitor(PORTAL, certificate.cert, ports)
const redirected = async (visitor: Visitor, url: string) =>
  (await visitor.navigate(`/api/redirect?${new URLSearchParams({ url }).toString()}`)).headers.get('location')

test('OPEN-158 REDIRECT-08 payment redirects to the payment domain and back, over HTTPS only', async () => {
  const visitor = visit()
  await signIn(visitor, '/account/payment')
  const startResponse = await visitor.post('/api/payment/start', { return_to: '/account/payment' })
  const { url } = (await startResponse.json()) as { url: string }
  expect([startResponse.status, new URL(url).origin]).toEqual([200, CARDS])
  const back = await typeCard(visitor, url)
  expect(back.headers.get('location')).toBe(`${PORTAL}/account/payment?payment=200#proof=${readReturnProof(back)}`)
  expect(visitor.cookieNames(CARDS)).toEqual([])
  const finishResponse = await finishReturn(visitor, back)
  expect([finishResponse.status, await finishResponse.json()]).toMatchObject([200, { method: { last_four: '4242' } }])
})

test('OPEN-158 the redirect rule allows the payment domain with its subdomains, and no origin of this machine', async () => {
  const visitor = visit()
  expect(await redirected(visitor, `${CARDS}/card`)).toBe(`${CARDS}/card`)
  expect(await redirected(visitor, 'https://pay.example.test/')).toBe('https://pay.example.test/')
  for (const url of [edge.stage.env.PROVIDER_ORIGIN, 'http://checkout.pay.example.test/', 'https://xpay.example.test/'])
    expect(await redirected(visitor, url)).toBe('/account/services')
})
