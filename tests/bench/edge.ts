import { parseEnv } from 'node:util'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getHomes } from '../../contract/cameras/devices.ts'
import { SIGNED_IN_COOKIE } from '../../contract/wire/constants.ts'
import type { RunEnvironment } from '../../scripts/lib/secrets.ts'
import { newNonce, send, signIn } from '../support/provider.ts'
import { median, openBrowser, signedIn } from './browser.ts'
import type { Figure } from './figure.ts'
import type { System } from './system.ts'

const ROUNDS = 150

/**
 * Measures the edge's own cost (session lookup, checks, signing): the time of a call through the gateway, minus the
 * time of the direct call, minus the time that the proxy adds to a plain response. The four requests alternate, so that
 * all of them see the same load.
 */
export async function measureEdge(system: System, data: string): Promise<Figure[]> {
  const env = parseEnv(readFileSync(join(data, 'run.env'), 'utf8')) as unknown as RunEnvironment
  const { access_token: token } = await signIn(env)
  const headers = {
    cookie: await sessionCookies(system.origin),
    origin: system.origin,
    'sec-fetch-site': 'same-origin',
  }
  const asks = {
    gateway: () => fetch(`${system.origin}/api/p/${getHomes.group}${getHomes.path}`, { headers }),
    direct: () => send(env, getHomes, token, { payload: { nonce: newNonce() } }),
    edgePlain: () => fetch(`${system.origin}/healthz`),
    providerPlain: () => fetch(`${env.PROVIDER_ORIGIN}/healthz`),
  }
  const times: Record<keyof typeof asks, number[]> = { gateway: [], direct: [], edgePlain: [], providerPlain: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, ask] of Object.entries(asks) as [keyof typeof asks, () => Promise<Response>][]) {
      const started = performance.now()
      const answer = await ask()
      await answer.text()
      times[name].push(performance.now() - started)
      if (!answer.ok) throw new Error(`${name} answered ${answer.status}.`)
    }
  }
  const above = times.gateway.map((gateway, at) => {
    const [direct = 0, edgePlain = 0, providerPlain = 0] = [
      times.direct[at],
      times.edgePlain[at],
      times.providerPlain[at],
    ]
    return gateway - direct - (edgePlain - providerPlain)
  })
  return [
    {
      what: 'edge: signed and forwarded call above a plain one, session lookup included, p50',
      value: median(above),
      unit: 'ms',
      goal: 1.2,
      bound: 'max',
    },
  ]
}

async function sessionCookies(origin: string): Promise<string> {
  const browser = await openBrowser()
  try {
    const { context } = await signedIn(browser, origin, '/events')
    const cookies = await context.cookies(origin)
    if (!cookies.some(({ name }) => name === SIGNED_IN_COOKIE)) throw new Error('The bench could not sign in.')
    return cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  } finally {
    await browser.close()
  }
}
