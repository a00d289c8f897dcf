import { request, type IncomingMessage } from 'node:http'
import { getHomes } from '../../../contract/cameras/devices.ts'
import { gatewayPath } from '../../../contract/wire/call.ts'
import { eventHistory } from '../../../contract/events/events.ts'
import type { Person } from '../../support/visitor.ts'
import { type Attempts, expectStatus, requireControl, type Verdict } from './attempts.ts'
import { sendCall, type Ground, pageHeaders } from './ground.ts'

const BODY_BYTES = 60 * 1024 * 1024
/** Maximum number of bytes that a route may accept: more than the largest body limit plus the socket buffers. */
const READ_MAX_BYTES = 24 * 1024 * 1024
const PIECE = Buffer.alloc(64 * 1024, 'a')
const PATIENCE_MS = 20_000
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }

type Door = readonly [method: string, address: string, headers: Record<string, string>]

function listDoors({ env }: Ground, browser: Person): Door[] {
  const cookie = [...(browser.cookies.get(browser.portal) ?? [])].map((pair) => pair.join('=')).join('; ')
  const page = { ...pageHeaders(browser), cookie }
  const portal = [
    '/api/auth/authorize',
    '/api/auth/refresh',
    '/api/auth/sessions/end',
    '/api/payment/start',
    '/t/errors',
    '/t/events',
    '/t/revenue',
  ]
  const calls = [eventHistory, getHomes].map((call) => gatewayPath(call))
  const forms = [
    '/oauth/token',
    '/oauth/sign-in/x',
    '/account/password',
    '/account/second-factor',
    '/account/forgotten',
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
    ...[...portal, ...calls].map((path): Door => ['POST', env.PORTAL_ORIGIN + path, page]),
    ...forms.map((path): Door => ['POST', env.PROVIDER_ORIGIN + path, FORM_TYPE]),
    ...json.map((path): Door => ['POST', env.PROVIDER_ORIGIN + path, JSON_TYPE]),
    ['PUT', `${env.PROVIDER_ORIGIN}/media/upload?grant=x`, { 'content-type': 'image/jpeg' }],
    ['POST', `${env.PAYMENT_ORIGIN}/card`, { ...FORM_TYPE, origin: env.PAYMENT_ORIGIN }],
  ]
}

/**
 * Sends a chunked body without a length. Returns the response status (0 if the connection was closed) and the number of
 * bytes sent.
 */
async function pour([method, address, headers]: Door): Promise<{ status: number; given: number }> {
  const out = request(address, { method, agent: false, headers: { ...headers, 'transfer-encoding': 'chunked' } })
  const state = { status: 0, isOver: false }
  const over = new Promise<void>((resolve) => {
    const end = () => {
      state.isOver = true
      resolve()
    }
    out.on('response', (answer: IncomingMessage) => {
      state.status = answer.statusCode ?? 0
      answer.resume()
      end()
    })
    out.on('error', end).on('close', end)
  })
  const timer = setTimeout(() => out.destroy(), PATIENCE_MS)
  let sentBytes = 0
  for (; sentBytes < BODY_BYTES && !state.isOver; sentBytes += PIECE.length)
    if (!out.write(PIECE)) await Promise.race([new Promise((resolve) => out.once('drain', resolve)), over])
  clearTimeout(timer)
  out.destroy()
  return { status: state.status, given: sentBytes }
}

async function pourInto(door: Door): Promise<Verdict> {
  const { status, given: sentBytes } = await pour(door)
  if (status >= 500) return `answered ${status}`
  return sentBytes <= READ_MAX_BYTES || `${sentBytes} bytes were taken`
}

/** Sends a body of 60 MB to each route, and 9 kB to each form route, which exceeds the form limit of 8 KiB. */
export const bodies = {
  name: 'large bodies',
  promise: 'a body is read up to the limit of its address, and never fails the server',
  async run(attempts: Attempts, ground: Ground) {
    const { browser } = await ground.member('Home of the visitor')
    const doors = listDoors(ground, browser)
    await attempts.each('60 MB without a length', doors, pourInto)
    const forms = doors.filter(([, , headers]) => headers['content-type'] === FORM_TYPE['content-type'])
    await attempts.each('a form of 9 kB', forms, async ([method, address, headers]) => {
      const answer = await ground.person().fetch(address, { method, headers, body: 'a'.repeat(9 * 1024) })
      return expectStatus(answer, 400, 403, 404, 413)
    })
    requireControl('calls are answered afterwards', await expectStatus(await sendCall(browser, getHomes), 200))
  },
}
