import { request, type IncomingMessage } from 'node:http'
import { getHomes } from '../../../contract/cameras/devices.ts'
import { formatGatewayPath } from '../../../contract/wire/call.ts'
import { eventHistory } from '../../../contract/events/events.ts'
import type { VisitorWithAddress } from '../../support/visitor.ts'
import { type Attempts, expectStatus, requireControl, type Verdict } from './attempts.ts'
import { sendCall, type AttackEnvironment, getPageHeaders } from './attack-environment.ts'

const BODY_BYTES = 60 * 1024 * 1024
/** Maximum number of bytes that a route may accept: more than the largest body limit plus the socket buffers. */
const MAX_READ_BYTES = 24 * 1024 * 1024
const BODY_CHUNK = Buffer.alloc(64 * 1024, 'a')
const REQUEST_TIMEOUT_MS = 20_000
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }

type BodyRoute = readonly [method: string, address: string, headers: Record<string, string>]

function listBodyRoutes({ env }: AttackEnvironment, browser: VisitorWithAddress): BodyRoute[] {
  const cookie = [...(browser.cookies.get(browser.portalOrigin) ?? [])].map((pair) => pair.join('=')).join('; ')
  const portalHeaders = { ...getPageHeaders(browser), cookie }
  const portal = [
    '/api/auth/authorize',
    '/api/auth/refresh',
    '/api/auth/sessions/end',
    '/api/payment/start',
    '/t/errors',
    '/t/events',
    '/t/revenue',
  ]
  const calls = [eventHistory, getHomes].map((call) => formatGatewayPath(call))
  const forms = [
    '/oauth/token',
    '/oauth/sign-in/x',
    '/account/password',
    '/account/second-factor',
    '/account/forgotten',
    '/account/create',
    '/account/delete',
    '/account/passkeys',
    '/oauth/revocation',
  ]
  const json = [
    '/api/v2/user/login?source=web',
    '/bridge/v1/enrol',
    '/bridge/v1/events',
    '/t/errors',
    '/cs/facts?m=porchlight&s=x',
  ]
  return [
    ...[...portal, ...calls].map((path): BodyRoute => ['POST', env.PORTAL_ORIGIN + path, portalHeaders]),
    ...forms.map((path): BodyRoute => ['POST', env.PROVIDER_ORIGIN + path, FORM_TYPE]),
    ...json.map((path): BodyRoute => ['POST', env.PROVIDER_ORIGIN + path, JSON_TYPE]),
    ['PUT', `${env.PROVIDER_ORIGIN}/media/upload?grant=x`, { 'content-type': 'image/jpeg' }],
    ['POST', `${env.PAYMENT_ORIGIN}/card`, { ...FORM_TYPE, origin: env.PAYMENT_ORIGIN }],
  ]
}

/**
 * Sends up to 60 MiB of a chunked body. Stops when the server responds, when the connection closes, or after
 * `REQUEST_TIMEOUT_MS`. Returns the response status (0 if there was no response) and the number of bytes sent.
 */
async function sendLargeBody([method, url, headers]: BodyRoute): Promise<{
  status: number
  sentBytes: number
}> {
  const outgoing = request(url, { method, agent: false, headers: { ...headers, 'transfer-encoding': 'chunked' } })
  const state = { status: 0, isOver: false }
  const ended = new Promise<void>((resolve) => {
    const markEnded = () => {
      state.isOver = true
      resolve()
    }
    outgoing.on('response', (answer: IncomingMessage) => {
      state.status = answer.statusCode ?? 0
      answer.resume()
      markEnded()
    })
    outgoing.on('error', markEnded).on('close', markEnded)
  })
  const timer = setTimeout(() => outgoing.destroy(), REQUEST_TIMEOUT_MS)
  let sentBytes = 0
  for (; sentBytes < BODY_BYTES && !state.isOver; sentBytes += BODY_CHUNK.length)
    if (!outgoing.write(BODY_CHUNK))
      await Promise.race([new Promise((resolve) => outgoing.once('drain', resolve)), ended])
  clearTimeout(timer)
  outgoing.destroy()
  return { status: state.status, sentBytes }
}

async function tryLargeBody(route: BodyRoute): Promise<Verdict> {
  const { status, sentBytes } = await sendLargeBody(route)
  if (status >= 500) return `responded with ${status}`
  return sentBytes <= MAX_READ_BYTES || `the server accepted ${sentBytes} bytes`
}

/**
 * Sends a body of 60 MiB to each route. Also sends a body of 9 KiB to each form route. Most form routes have a limit of
 * 8 KiB.
 */
export const largeBodyAttacks = {
  name: 'large bodies',
  guarantee: 'the server reads a body up to the limit of its route and never fails',
  async run(attempts: Attempts, environment: AttackEnvironment) {
    const { browser } = await environment.createMember('Home of the visitor')
    const routes = listBodyRoutes(environment, browser)
    await attempts.tryEach('a chunked body of 60 MB', routes, tryLargeBody)
    const forms = routes.filter(([, , headers]) => headers['content-type'] === FORM_TYPE['content-type'])
    await attempts.tryEach('a form body of 9 kB', forms, async ([method, url, headers]) => {
      const answer = await environment.createVisitor().fetch(url, { method, headers, body: 'a'.repeat(9 * 1024) })
      return expectStatus(answer, 400, 403, 404, 413)
    })
    requireControl('calls succeed after the attack', await expectStatus(await sendCall(browser, getHomes), 200))
  },
}
